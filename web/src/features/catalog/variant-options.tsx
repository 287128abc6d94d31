// The chosen options of a variant, wherever it is named: below its name, and in the names of buttons.
import * as m from "messages/catalog";
import styles from "./variant-options.module.css";

type Options = Record<string, string>;

// "Colour: Chalk · Size: M". Nothing without options.
export function VariantOptions({ options }: { options: Options | undefined }) {
  const text = optionsText(options);
  return text === "" ? null : <p className={styles.options}>{text}</p>;
}

export function optionsText(options: Options = {}): string {
  return Object.entries(options)
    .map(([option, value]) => m.optionValue({ option, value }))
    .join(" · ");
}

// "Desk Lamp (Chalk, M)", so that two variants of a product have different names.
export function variantName({ name, options = {} }: { name: string; options?: Options }): string {
  const values = Object.values(options);
  return values.length === 0 ? name : m.variantNamed({ name, options: values.join(", ") });
}
