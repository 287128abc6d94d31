// What the search field suggests, after the combobox pattern of WAI-ARIA: the focus stays in the field,
// and the field says which entry the arrow keys have come to. Every entry is a link, and Enter clicks it.
import Clock from "lucide-react/icons/clock";
import Search from "lucide-react/icons/search";
import Shapes from "lucide-react/icons/shapes";
import X from "lucide-react/icons/x";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useImperativeHandle,
  useState,
} from "react";
import type { Suggestions as Answer, Suggestion } from "../../lib/api.gen";
import { forgetSearch, forgetSearches, useSearches } from "../../lib/finding/searches";
import { questionOf, useSuggestions } from "../../lib/finding/suggest";
import { announce } from "../../lib/navigation";
import { count } from "../../lib/text";
import { categoryUrl, productUrl, searchUrl } from "../../lib/urls";
import { IconButton } from "../../ui/icon-button";
import { Picture } from "../../ui/picture";
import { Marked } from "../marked";
import { Price } from "../price";
import { CLOSED, entryId, LIST_ID, type List } from "../search-form";
import styles from "./suggestions.module.css";

type Props = {
  field: RefObject<HTMLInputElement | null>;
  // Takes what happens in the form from here on.
  heed: RefObject<((event: SyntheticEvent) => void) | null>;
  // The kind of what happened last.
  last: RefObject<string>;
  list: List;
  setList: (list: List) => void;
  // Whether there is anything in the list.
  setShown: (shown: boolean) => void;
  onClose: () => void;
};

type Entry = { href: string; face: ReactNode };
type Group = { title: string; entries: Entry[] };

export default function Suggestions(props: Props) {
  const { field, heed, last, list, setList, setShown, onClose } = props;
  const [typed, setTyped] = useState(() => typedIn(field.current));
  const answer = useSuggestions(list.open ? questionOf(typed.text, typed.category) : null);
  const searches = useSearches();
  const fresh = typed.text.trim() === "";
  const groups = fresh ? recent(searches, typed.category) : groupsOf(answer, typed.category);
  const entries = groups.flatMap((group) => group.entries);
  const shown = list.open && entries.length > 0;

  useImperativeHandle(heed, () => heedEvent);
  useEffect(() => setShown(shown), [shown, setShown]);

  // The code came with the focus: what happened meanwhile is taken up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (field.current === document.activeElement && isMeant(last.current)) open();
  }, []);

  useEffect(() => {
    if (answer !== null) announce(count(total(answer), "suggestion", "suggestions"));
  }, [answer]);

  // A touch beside it takes the focus away on some phones only.
  useEffect(() => {
    if (!shown) return;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!field.current?.form?.contains(target as Node)) setList(CLOSED);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [shown, field, setList]);

  function open() {
    setTyped(typedIn(field.current));
    setList({ open: true, active: null });
  }

  function heedEvent(event: SyntheticEvent) {
    if (event.type === "keydown") onKey(event as KeyboardEvent);
    else if (isMeant(event.type)) open();
  }

  // Who only comes past with the Tab key is not held up. On a phone the field is there because it was
  // asked for.
  function isMeant(type: string): boolean {
    return type !== "focus" || field.current?.form?.dataset.open === "true";
  }

  function onKey(event: KeyboardEvent) {
    // A key that makes part of a letter, in scripts that need several.
    if (event.nativeEvent.isComposing) return;
    const handled = event.key === "Escape" ? stepBack() : move(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // First the list goes, then the words; what is left is the form's own.
  function stepBack(): boolean {
    const input = field.current;
    if (shown) setList(CLOSED);
    else if (input !== null && input.value !== "") input.value = "";
    else return false;
    return true;
  }

  function move(key: string): boolean {
    if (!shown) {
      const opens = key === "ArrowDown" || key === "ArrowUp";
      if (opens) open();
      return opens;
    }
    if (key === "Enter" && list.active !== null) {
      document.getElementById(entryId(list.active))?.click();
      return true;
    }
    if (key === "Delete" && fresh && list.active !== null) {
      forgetSearch(searches[list.active] ?? "");
      setList({ open: true, active: null });
      return true;
    }
    const next = moved(key, list.active, entries.length);
    if (next === undefined) return false;
    setList({ open: true, active: next });
    document.getElementById(entryId(next))?.scrollIntoView({ block: "nearest" });
    return true;
  }

  if (!shown) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links are what is pressed, and the field has the keys.
    <div className={styles.panel} onMouseDown={keepFocus} onClick={leaveByLink(onClose)}>
      {fresh ? (
        <>
          <div className={styles.head}>
            <p className={styles.title}>Recent searches</p>
            <button type="button" className={styles.clear} onClick={forgetSearches}>
              Clear
            </button>
          </div>
          <div className={styles.recent}>
            <Listbox groups={groups} active={list.active} />
            <Forgetting searches={searches} />
          </div>
        </>
      ) : (
        <Listbox groups={groups} active={list.active} titled />
      )}
    </div>
  );
}

type ListboxProps = { groups: Group[]; active: number | null; titled?: boolean };

function Listbox({ groups, active, titled = false }: ListboxProps) {
  let place = 0;
  return (
    <div className={styles.list} id={LIST_ID} role="listbox" aria-label="Suggestions">
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box's groups are no fieldsets.
        <div key={title} className={styles.group} role="group" aria-label={title}>
          {titled && (
            <p className={styles.title} aria-hidden>
              {title}
            </p>
          )}
          {entries.map(({ href, face }) => {
            const at = place++;
            return (
              <a
                key={href}
                className={styles.entry}
                id={entryId(at)}
                role="option"
                aria-selected={at === active}
                href={href}
                tabIndex={-1}
              >
                {face}
              </a>
            );
          })}
        </div>
      ))}
    </div>
  );
}

// Beside the list, not in it: an entry of a list box holds no buttons.
function Forgetting({ searches }: { searches: string[] }) {
  return (
    <ul>
      {searches.map((q) => (
        <li key={q}>
          <IconButton label={`Forget the search for ${q}`} onClick={() => forgetSearch(q)}>
            <X size={16} strokeWidth={1.5} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function recent(searches: string[], category: string): Group[] {
  const entries = searches.map((q) => ({
    href: searchUrl(q, category),
    face: <Line icon={<Clock size={16} strokeWidth={1.5} aria-hidden />}>{q}</Line>,
  }));
  return entries.length === 0 ? [] : [{ title: "Recent searches", entries }];
}

function groupsOf(answer: Answer | null, category: string): Group[] {
  if (answer === null) return [];
  const groups: Group[] = [
    {
      title: "Searches",
      entries: answer.queries.map((q) => ({
        href: searchUrl(q, category),
        face: <Line icon={<Search size={16} strokeWidth={1.5} aria-hidden />}>{q}</Line>,
      })),
    },
    {
      title: "Categories",
      entries: answer.categories.map(({ _id, name }) => ({
        href: categoryUrl(_id),
        face: <Line icon={<Shapes size={16} strokeWidth={1.5} aria-hidden />}>{name}</Line>,
      })),
    },
    {
      title: "Products",
      entries: answer.products.map((product) => ({
        href: productUrl(product._id),
        face: <ProductFace product={product} />,
      })),
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <>
      {icon}
      <span className={styles.words}>{children}</span>
    </>
  );
}

function ProductFace({ product }: { product: Suggestion }) {
  const { name, nameParts, picture, realPrice, buyPrice } = product;
  return (
    <>
      <div className={styles.picture}>
        <Picture
          picture={{ ...picture, alt: "" }}
          name=""
          sizes="56px"
          widest={160}
          loading="eager"
        />
      </div>
      <div className={styles.product}>
        <p className={styles.name}>
          <Marked name={name} parts={nameParts} />
        </p>
        <Price real={realPrice} buy={buyPrice} />
      </div>
    </>
  );
}

function typedIn(field: HTMLInputElement | null): { text: string; category: string } {
  const category = field?.form?.elements.namedItem("category");
  return {
    text: field?.value ?? "",
    category: category instanceof HTMLSelectElement ? category.value : "",
  };
}

function total({ products, categories, queries }: Answer): number {
  return products.length + categories.length + queries.length;
}

// Undefined: the key is the field's own. Home and End are, until the arrow keys have left it.
function moved(key: string, active: number | null, entries: number): number | undefined {
  if (key === "ArrowDown") return active === null ? 0 : (active + 1) % entries;
  if (key === "ArrowUp") return ((active ?? 0) - 1 + entries) % entries;
  if (active === null) return undefined;
  return key === "Home" ? 0 : key === "End" ? entries - 1 : undefined;
}

function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

function leaveByLink(onClose: () => void) {
  return (event: MouseEvent) => {
    const plain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (plain && (event.target as Element).closest("a")) onClose();
  };
}
