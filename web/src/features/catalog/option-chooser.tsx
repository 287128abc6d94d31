import * as m from "messages/catalog";
import type { MouseEvent, ReactNode } from "react";
import type { Product, ProductOption } from "../../lib/api.gen";
import { fieldLang, language } from "../../lib/language";
import { isPlainClick } from "../../lib/navigation";
import { Picture } from "../../ui/picture";
import { hidden } from "../../ui/visually-hidden";
import { Swatch } from "../search/swatch";
import {
  type Choice,
  choiceState,
  type Known,
  pictureOfValue,
  swatchOf,
  type ValueState,
  withValue,
} from "./choice";
import styles from "./option-chooser.module.css";

type Props = {
  product: Pick<Product, "pictures" | "untranslated">;
  known: Known;
  choice: Choice;
  urlOf: (choice: Choice) => string;
  onChoose: (choice: Choice) => void;
};

// A product's options, each with links to the product in its values: they work without JavaScript, and
// with it `onChoose` shows the choice in place.
export function OptionChooser(props: Props) {
  return (
    <div className={styles.options}>
      {props.known.options.map((option, place) => (
        <Option key={option.param} {...props} option={option} place={place} />
      ))}
    </div>
  );
}

type OptionProps = Props & { option: ProductOption; place: number };

function Option(props: OptionProps) {
  const { product, choice, option, place } = props;
  const lang = fieldLang(product, "options");
  return (
    <div>
      <p className={styles.chosen} lang={lang}>
        {m.optionChosen({
          option: option.name,
          value: choice[place] ?? "",
          strong: (text) => <strong>{text}</strong>,
        })}
      </p>
      {option.values.length > 1 && (
        <ul className={styles.values} aria-label={option.name} lang={lang}>
          {option.values.map((value) => (
            <li key={value}>
              <Value {...props} value={value} lang={lang} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type ValueProps = OptionProps & { value: string; lang: string | undefined };

function Value({
  product,
  known,
  choice,
  urlOf,
  onChoose,
  option,
  place,
  value,
  lang,
}: ValueProps) {
  const next = withValue(choice, place, value);
  const chosen = value === choice[place];
  const state = choiceState(known, next);
  const picture = product.pictures[pictureOfValue(product.pictures, option, value)];

  function onClick(event: MouseEvent) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onChoose(next);
  }

  return (
    <a
      className={picture ? styles.pictured : styles.chip}
      href={urlOf(next)}
      rel="nofollow"
      aria-current={chosen || undefined}
      data-state={state}
      data-in-place={known.allVariants || undefined}
      onClick={onClick}
    >
      {picture ? (
        <Picture
          picture={{ ...picture, alt: "", placeholder: null }}
          name=""
          sizes="64px"
          widest={160}
          loading="eager"
        />
      ) : (
        <Colour code={swatchOf(option, value)} value={value} />
      )}
      <span className={styles.name}>{valueText(state, value, lang)}</span>
    </a>
  );
}

function Colour({ code, value }: { code: string | null; value: string }) {
  return code === null ? null : <Swatch colour={value} code={code} />;
}

// What is struck out or dashed is also said.
function valueText(state: ValueState, value: string, lang: string | undefined): ReactNode {
  const note = (text: ReactNode) =>
    hidden(lang === undefined ? text : <span lang={language()}>{text}</span>);
  if (state === "soldOut") return m.valueSoldOut({ value, hidden: note });
  if (state === "missing") return m.valueMissing({ value, hidden: note });
  return value;
}
