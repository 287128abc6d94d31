type Reachable = { email: string; phone: string; address: string };

// The shop's contact data in schema.org terms.
export function reachedAt({ email, phone, address }: Reachable): Record<string, string> {
  return {
    ...(email && { email }),
    ...(phone && { telephone: phone }),
    ...(address && { address }),
  };
}

// JSON-LD structured data. `<` is escaped, so that a product's text cannot close the script.
export function JsonLd({ data }: { data: Record<string, unknown> }) {
  const json = JSON.stringify({ "@context": "https://schema.org", ...data });
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, and escaped.
      dangerouslySetInnerHTML={{ __html: json.replaceAll("<", "\\u003c") }}
    />
  );
}
