// Finds properties of styles that are fixed to the left or the right, where a language that is
// written from right to left needs the other side.

const PHYSICAL =
  /^(?:(?:margin|padding|border|scroll-(?:margin|padding))-)?(?:left|right)\b|^border-\w+-(?:left|right)-radius$/;
const SIDED_VALUE = /^(?:text-align|float|clear)$/;
const FOUR_SIDES = /^(?:margin|padding|inset|scroll-(?:margin|padding)|border-(?:style|color))$/;

export function physicalProperties(file: string, css: string): string[] {
  const plain = css.replace(/\/\*.*?\*\//gs, (comment) => comment.replace(/[^\n]/g, " "));
  const declarations = [...plain.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+)(?=[;}])/g)];
  return declarations
    .filter(([, property = "", value = ""]) => isPhysical(property, value))
    .map(({ index, 0: text }) => {
      const line = plain.slice(0, index).split("\n").length;
      return `${file}:${line}: "${text}" has a logical form, such as inline-start`;
    });
}

function isPhysical(property: string, value: string): boolean {
  if (PHYSICAL.test(property)) return true;
  if (SIDED_VALUE.test(property)) return /^(?:left|right)$/.test(value);
  if (!FOUR_SIDES.test(property)) return false;
  const sides = valuesOf(value);
  return sides.length === 4 && sides[1] !== sides[3];
}

// Separated by spaces outside of parentheses.
function valuesOf(value: string): string[] {
  let depth = 0;
  const separated = Array.from(value.trim(), (character) => {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    return /\s/.test(character) && depth === 0 ? "\n" : character;
  });
  return separated.join("").split(/\n+/);
}
