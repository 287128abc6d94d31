import Search from "lucide-react/icons/search";
import * as common from "messages/common";
import * as m from "messages/search";
import {
  type FocusEvent,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Page } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { lazyComponent } from "../../lib/lazy";
import { useShop } from "../../lib/shop-context";
import styles from "./search-form.module.css";

const Suggestions = lazyComponent(() => import("./internal/suggestions"));

// The suggestion list's state: whether it is open, and the active option.
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

// The search form, which works without JavaScript. Suggestions are loaded on first focus.
export function SearchForm({ page, open, onClose, field }: Props) {
  const shop = useShop();
  const asked = page.page === "search" ? page.props : null;
  const q = asked?.q ?? "";
  const category = asked?.category ?? "";
  const select = useRef<HTMLSelectElement>(null);
  const [loaded, setLoaded] = useState(false);
  const [list, setList] = useState(CLOSED);
  const [shown, setShown] = useState(false);
  const onFormEvent = useRef<(event: SyntheticEvent) => void>(null);
  const last = useRef("");

  // The form stays mounted and follows the page's query. What was typed before hydration stays.
  const about = useRef({ q, category });
  useEffect(() => {
    if (about.current.q === q && about.current.category === category) return;
    about.current = { q, category };
    if (field.current) field.current.value = q;
    if (select.current) select.current.value = category;
  }, [field, q, category]);

  function forward(event: SyntheticEvent) {
    last.current = event.type;
    onFormEvent.current?.(event);
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
        action={localUrl("/search")}
        data-open={open}
        onSubmit={close}
        onBlur={onBlur}
        onKeyDown={(event) => event.key === "Escape" && close()}
      >
        <select
          ref={select}
          className={styles.category}
          name="category"
          aria-label={m.searchIn()}
          autoComplete="off"
          defaultValue={category}
          onChange={forward}
        >
          <option value="">{m.allCategories()}</option>
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
          aria-label={m.searchFor()}
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? LIST_ID : undefined}
          aria-activedescendant={shown && list.active !== null ? entryId(list.active) : undefined}
          placeholder={page.shop.demo ? m.searchMarket() : m.searchShop()}
          autoComplete="off"
          maxLength={100}
          defaultValue={q}
          onFocus={(event) => {
            setLoaded(true);
            forward(event);
          }}
          onClick={forward}
          onInput={forward}
          onKeyDown={forward}
        />
        <button className={styles.button} type="submit" aria-label={common.search()}>
          <Search size={20} strokeWidth={1.5} aria-hidden />
        </button>
        {loaded && (
          <Suspense fallback={null}>
            <Suggestions
              field={field}
              onFormEvent={onFormEvent}
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
