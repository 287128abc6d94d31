import { useState } from "react";

// A choice that shows at once, ahead of the page that it leads to; and turns back when the page says
// so, as after Back.
export function useChoice<T extends string | boolean>(
  said: T,
): [now: T, choose: (next: T) => void] {
  const [state, setState] = useState({ said, now: said });
  if (state.said !== said) setState({ said, now: said });
  return [state.said === said ? state.now : said, (now) => setState({ said, now })];
}
