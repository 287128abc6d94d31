import Search from "lucide-react/icons/search";
import {
  type FocusEvent,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Page } from "../lib/api.gen";
import { lazyPiece } from "../lib/pieces";
import { useShop } from "../lib/shop";
import styles from "./search-form.module.css";

const Suggestions = lazyPiece(() => import("./finding/suggestions"));

// The list below the field: whether it is wanted, and which of its entries the arrow keys have come to.
export type List = { open: boolean; active: number | null };
export const CLOSED: List = { open: false, active: null };
export const LIST_ID = "suggestions";
export const entryId = (place: number) => `suggestion-${place}`;

type Props = {
  page: Page;
  open: boolean;
  onClose: () => void;
  field: RefObject<HTMLInputElement | null>;
};

// A plain form: the search page reads it with or without JavaScript. The suggestions come to it when
// somebody first goes to the field.
export function SearchForm({ page, open, onClose, field }: Props) {
  const { shop } = useShop();
  const asked = page.page === "search" ? page.props : null;
  const q = asked?.q ?? "";
  const category = asked?.category ?? "";
  const select = useRef<HTMLSelectElement>(null);
  const [wanted, setWanted] = useState(false);
  const [list, setList] = useState(CLOSED);
  const [shown, setShown] = useState(false);
  const heed = useRef<(event: SyntheticEvent) => void>(null);
  const last = useRef("");

  // The form stays while the pages change, and says what the page is about. What was typed before
  // the page came to life stays as well.
  const about = useRef({ q, category });
  useEffect(() => {
    if (about.current.q === q && about.current.category === category) return;
    about.current = { q, category };
    if (field.current) field.current.value = q;
    if (select.current) select.current.value = category;
  }, [field, q, category]);

  function tell(event: SyntheticEvent) {
    last.current = event.type;
    heed.current?.(event);
  }

  function close() {
    setList(CLOSED);
    onClose();
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLFormElement>) {
    if (!currentTarget.contains(relatedTarget)) setList(CLOSED);
  }

  return (
    <search className={styles.place}>
      <form
        className={styles.search}
        method="get"
        action="/search"
        data-open={open}
        onSubmit={close}
        onBlur={onBlur}
        onKeyDown={(event) => event.key === "Escape" && close()}
      >
        <select
          ref={select}
          className={styles.category}
          name="category"
          aria-label="Search in"
          autoComplete="off"
          defaultValue={category}
          onChange={tell}
        >
          <option value="">All categories</option>
          {shop.categories.map((category) => (
            <option key={category._id} value={category._id}>
              {category.name}
            </option>
          ))}
        </select>
        <input
          ref={field}
          className={styles.field}
          type="search"
          name="q"
          role="combobox"
          aria-label="Search for"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? LIST_ID : undefined}
          aria-activedescendant={shown && list.active !== null ? entryId(list.active) : undefined}
          placeholder={page.shop.demo ? "Search the market" : "Search the shop"}
          autoComplete="off"
          maxLength={100}
          defaultValue={q}
          onFocus={(event) => {
            setWanted(true);
            tell(event);
          }}
          onClick={tell}
          onInput={tell}
          onKeyDown={tell}
        />
        <button className={styles.button} type="submit" aria-label="Search">
          <Search size={20} strokeWidth={1.5} aria-hidden />
        </button>
        {wanted && (
          <Suspense fallback={null}>
            <Suggestions
              field={field}
              heed={heed}
              last={last}
              list={list}
              setList={setList}
              setShown={setShown}
              onClose={close}
            />
          </Suspense>
        )}
      </form>
    </search>
  );
}
