// Where the next page has not begun to load by then, as without a connection, the shopper goes on here.
const LONGEST_DEPARTURE = 15_000;

// Leaves for the page of a provider. `onStay` is called where the shopper is still here after a while, or comes back
// by the Back button to the page as it was left.
export function leaveFor(address: string, onStay: () => void): void {
  const over = setTimeout(stay, LONGEST_DEPARTURE);
  function stay() {
    clearTimeout(over);
    removeEventListener("pageshow", stay);
    onStay();
  }
  addEventListener("pagehide", () => clearTimeout(over), { once: true });
  addEventListener("pageshow", stay);
  location.assign(address);
}
