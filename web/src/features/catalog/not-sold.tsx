import * as m from "messages/catalog";
import type { Category } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { categoryUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import styles from "./not-sold.module.css";

// Says that an archived product is not sold any more, and leads on to its category.
export function NotSold({ category }: { category: Category }) {
  return (
    <div className={styles.notice}>
      <p>{m.notSold()}</p>
      <ButtonLink href={categoryUrl(category._id)}>
        {/* One element: the button has gaps between its children. */}
        <span>
          {m.similarIn({
            category: category.name,
            name: (text) => <span lang={fieldLang(category, "name")}>{text}</span>,
          })}
        </span>
      </ButtonLink>
    </div>
  );
}
