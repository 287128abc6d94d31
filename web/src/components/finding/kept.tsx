import { type Choice, paramsOf } from "../../lib/finding/choice";

// What the rest of the page has chosen, in a form that asks for something else. It starts again at the
// first page.
export function Kept({ choice, except }: { choice: Choice; except: string[] }) {
  return paramsOf({ ...choice, page: 1 })
    .filter(([name]) => !except.includes(name))
    .map(([name, value]) => (
      <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
    ));
}
