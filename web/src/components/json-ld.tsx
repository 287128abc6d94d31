type Reachable = { email: string; phone: string; address: string };

// How a shop can be reached, as far as it says so.
export function reachedAt({ email, phone, address }: Reachable): Record<string, string> {
  return {
    ...(email && { email }),
    ...(phone && { telephone: phone }),
    ...(address && { address }),
  };
}

// What a search engine reads. `<` is escaped, so that a product's text cannot close the block.
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
