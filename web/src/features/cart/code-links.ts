// Links with discount codes: ?code=SPRING10, on any page of the shop.

// Takes the codes out of an address and puts them into the cart. So a reload, or Back, does not add
// them again.
export function takeCodes(address: URL): void {
  const codes = address.searchParams.getAll("code");
  if (codes.length === 0) return;
  address.searchParams.delete("code");
  import("../discounts/linked-codes").then(
    ({ addLinkedCodes }) => addLinkedCodes(codes),
    () => {},
  );
}
