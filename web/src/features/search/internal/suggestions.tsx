// Search suggestions, after the combobox pattern of WAI-ARIA: focus stays in the field, which
// references the active option. Every option is a link, and Enter clicks it.

import Clock from "lucide-react/icons/clock";
import Search from "lucide-react/icons/search";
import Shapes from "lucide-react/icons/shapes";
import X from "lucide-react/icons/x";
import * as common from "messages/common";
import * as m from "messages/search";
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
import type { Suggestion, Suggestions as SuggestionsData } from "../../../lib/api.gen";
import { announce } from "../../../lib/navigation";
import { categoryUrl, productUrl, searchUrl } from "../../../lib/urls";
import { IconButton } from "../../../ui/icon-button";
import { Picture } from "../../../ui/picture";
import { Highlight } from "../../catalog/highlight";
import { Price } from "../../catalog/price";
import { clearSearches, removeSearch, useSearches } from "../recent-searches";
import { CLOSED, entryId, LIST_ID, type List } from "../search-form";
import styles from "./suggestions.module.css";
import { suggestionsUrl, useSuggestions } from "./use-suggestions";

type Props = {
  field: RefObject<HTMLInputElement | null>;
  // Set here: handles events of the form.
  onFormEvent: RefObject<((event: SyntheticEvent) => void) | null>;
  // The type of the last event.
  last: RefObject<string>;
  list: List;
  setList: (list: List) => void;
  // Whether the list has entries.
  setShown: (shown: boolean) => void;
  onClose: () => void;
};

type Option = { href: string; content: ReactNode };
type Group = { title: string; entries: Option[] };

export default function Suggestions(props: Props) {
  const { field, onFormEvent, last, list, setList, setShown, onClose } = props;
  const [typed, setTyped] = useState(() => typedIn(field.current));
  const answer = useSuggestions(list.open ? suggestionsUrl(typed.text, typed.category) : null);
  const searches = useSearches();
  const isEmpty = typed.text.trim() === "";
  const groups = isEmpty ? recent(searches, typed.category) : groupsOf(answer, typed.category);
  const entries = groups.flatMap((group) => group.entries);
  const shown = list.open && entries.length > 0;

  useImperativeHandle(onFormEvent, () => handleFormEvent);
  useEffect(() => setShown(shown), [shown, setShown]);

  // The code was loaded on focus: catch up with events since then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: on mount only.
  useEffect(() => {
    if (field.current === document.activeElement && isMeant(last.current)) open();
  }, []);

  useEffect(() => {
    if (answer !== null) announce(m.suggestionCount({ count: total(answer) }));
  }, [answer]);

  // On some phones a touch outside does not take the focus away.
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

  function handleFormEvent(event: SyntheticEvent) {
    if (event.type === "keydown") onKey(event as KeyboardEvent);
    else if (isMeant(event.type)) open();
  }

  // Focus by the Tab key does not open the list. On a phone the field is shown only on request, so
  // it does.
  function isMeant(type: string): boolean {
    return type !== "focus" || field.current?.form?.dataset.open === "true";
  }

  function onKey(event: KeyboardEvent) {
    // Part of an input method's composition.
    if (event.nativeEvent.isComposing) return;
    const handled = event.key === "Escape" ? stepBack() : move(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Escape closes the list, then clears the field, then is left to the form.
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
    if (key === "Delete" && isEmpty && list.active !== null) {
      removeSearch(searches[list.active] ?? "");
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
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links are clicked, and the field handles keys.
    <div className={styles.panel} onMouseDown={keepFocus} onClick={leaveByLink(onClose)}>
      {isEmpty ? (
        <>
          <div className={styles.head}>
            <p className={styles.title}>{m.recentSearches()}</p>
            <button type="button" className={styles.clear} onClick={clearSearches}>
              {m.clear()}
            </button>
          </div>
          <div className={styles.recent}>
            <Listbox groups={groups} active={list.active} />
            <RemoveButtons searches={searches} />
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
    <div className={styles.list} id={LIST_ID} role="listbox" aria-label={m.suggestions()}>
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: groups of a listbox are no fieldsets.
        <div key={title} className={styles.group} role="group" aria-label={title}>
          {titled && (
            <p className={styles.title} aria-hidden>
              {title}
            </p>
          )}
          {entries.map(({ href, content }) => {
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
                {content}
              </a>
            );
          })}
        </div>
      ))}
    </div>
  );
}

// Beside the list: options of a listbox must not contain buttons.
function RemoveButtons({ searches }: { searches: string[] }) {
  return (
    <ul>
      {searches.map((q) => (
        <li key={q}>
          <IconButton label={m.forget({ query: q })} onClick={() => removeSearch(q)}>
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
    content: <Line icon={<Clock size={16} strokeWidth={1.5} aria-hidden />}>{q}</Line>,
  }));
  return entries.length === 0 ? [] : [{ title: m.recentSearches(), entries }];
}

function groupsOf(answer: SuggestionsData | null, category: string): Group[] {
  if (answer === null) return [];
  const groups: Group[] = [
    {
      title: m.searches(),
      entries: answer.queries.map((q) => ({
        href: searchUrl(q, category),
        content: <Line icon={<Search size={16} strokeWidth={1.5} aria-hidden />}>{q}</Line>,
      })),
    },
    {
      title: common.categories(),
      entries: answer.categories.map(({ _id, name }) => ({
        href: categoryUrl(_id),
        content: <Line icon={<Shapes size={16} strokeWidth={1.5} aria-hidden />}>{name}</Line>,
      })),
    },
    {
      title: common.products(),
      entries: answer.products.map((product) => ({
        href: productUrl(product._id),
        content: <ProductFace product={product} />,
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
      <div>
        <p className={styles.name}>
          <Highlight name={name} parts={nameParts} />
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

function total({ products, categories, queries }: SuggestionsData): number {
  return products.length + categories.length + queries.length;
}

// Undefined: the field handles the key. Home and End belong to it until an option is active.
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
