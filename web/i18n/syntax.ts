// A source file's syntax tree.

export type Node = { type: string; start: number; end: number; [field: string]: unknown };

export function walk(
  node: Node,
  visit: (node: Node, parents: Node[]) => void,
  parents: Node[] = [],
): void {
  visit(node, parents);
  parents.push(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof (child as Node | null)?.type === "string") walk(child as Node, visit, parents);
  }
  parents.pop();
}

// The namespace of messages that an import is of: "cart" of `import … from "messages/cart"`.
export function namespaceOf(declaration: Node): string | null {
  const { value } = (declaration.source ?? {}) as { value?: unknown };
  return typeof value === "string" && value.startsWith("messages/")
    ? value.slice("messages/".length)
    : null;
}

// The local names of imported namespaces.
export function namespacesOf(program: Node): Map<string, string> {
  const names = new Map<string, string>();
  for (const statement of program.body as Node[]) {
    const namespace = statement.type === "ImportDeclaration" ? namespaceOf(statement) : null;
    if (namespace === null) continue;
    for (const specifier of statement.specifiers as Node[])
      if (specifier.type === "ImportNamespaceSpecifier")
        names.set(String((specifier.local as Node).name), namespace);
  }
  return names;
}
