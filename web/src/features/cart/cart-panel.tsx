import ShoppingBag from "lucide-react/icons/shopping-bag";
import Trash2 from "lucide-react/icons/trash-2";
import * as m from "messages/cart";
import * as common from "messages/common";
import type { Quote, QuotedLine } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { format, sum } from "../../lib/money";
import { formatNumber } from "../../lib/numbers";
import { closeOverlay, closeOverlayForNavigation, returnsFocus } from "../../lib/overlay";
import { useShop } from "../../lib/shop-context";
import { cardName } from "../../lib/text";
import { checkoutUrl, variantUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { Drawer } from "../../ui/drawer";
import { EmptyState } from "../../ui/empty-state";
import { IconButton } from "../../ui/icon-button";
import { NowrapHyphens } from "../../ui/nowrap-hyphens";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { Skeleton } from "../../ui/skeleton";
import { VariantOptions, variantName } from "../catalog/variant-options";
import { type CartLine, cart, subTotal, units, useCart } from "./cart";
import styles from "./cart-panel.module.css";
import { discountsOf } from "./discount-rows";
import { LineNotes } from "./line-notes";
import { Quantity } from "./quantity";
import { linesWithQuote, type Note, useQuote } from "./quote";

export default function CartPanel({ open }: { open: boolean }) {
  const lines = useCart() ?? [];
  const title = lines.length === 0 ? common.cart() : m.titleWithItems({ count: units(lines) });
  return (
    <Drawer open={open} onClose={closeOverlay} title={title} side="end" returnsFocus={returnsFocus}>
      {lines.length === 0 ? <EmptyCart /> : <Lines lines={lines} />}
    </Drawer>
  );
}

function EmptyCart() {
  return (
    <EmptyState icon={<ShoppingBag size={40} strokeWidth={1} aria-hidden />} title={m.empty()}>
      <p>{m.emptyText()}</p>
      <ButtonLink href={localUrl("/#products")} onClick={closeOverlayForNavigation}>
        {common.browseProducts()}
      </ButtonLink>
    </EmptyState>
  );
}

function Lines({ lines: stored }: { lines: CartLine[] }) {
  const shop = useShop();
  const { quote, notes } = useQuote();
  const lines = linesWithQuote(stored, quote);
  const gone = new Set(quote?.lines.flatMap((line) => (line.change === "gone" ? line._id : [])));
  const counted = lines.filter((line) => !gone.has(line._id));
  const { currency } = counted[0] ?? shop;
  const total = subTotal(counted, currency);
  const discount = quote?.currency === currency ? discountOfGoods(quote) : 0;
  return (
    <>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <Line
            key={line._id}
            line={line}
            quoted={quote?.lines.find((quoted) => quoted._id === line._id)}
            notes={notes[line._id]}
          />
        ))}
      </ul>
      <div className={styles.end}>
        <p className={styles.total}>
          <span>{m.subtotal()}</span>
          <strong>
            {total === null ? <Skeleton width="5rem" height="1.25rem" /> : format(total, currency)}
          </strong>
        </p>
        {discount < 0 && (
          <p className={styles.discount}>
            <span>{m.discount()}</span>
            <span>−{format(-discount, currency)}</span>
          </p>
        )}
        <p className={styles.small}>{m.shippingLater()}</p>
        <div className={styles.actions}>
          <ButtonLink href={localUrl("/cart")} quiet onClick={closeOverlayForNavigation}>
            {m.viewCart()}
          </ButtonLink>
          <ButtonLink href={checkoutUrl()} onClick={closeOverlayForNavigation}>
            {m.checkout()}
          </ButtonLink>
        </div>
      </div>
    </>
  );
}

// That of the delivery is shown in the cart, as is the delivery.
function discountOfGoods(quote: Quote): number {
  const amounts = discountsOf(quote).goods.map(({ amount }) => amount);
  return sum(amounts, quote.currency);
}

type LineProps = {
  line: CartLine;
  quoted: QuotedLine | undefined;
  notes: Note[] | undefined;
};

function Line({ line, quoted, notes }: LineProps) {
  const name = variantName(line);
  return (
    <li className={styles.line}>
      <Picture picture={smallPicture(line.img[0])} name="" sizes="96px" loading="eager" />
      <div className={styles.words}>
        <a className={styles.name} href={variantUrl(line)} onClick={closeOverlayForNavigation}>
          <NowrapHyphens text={cardName(line.name)} />
        </a>
        <VariantOptions options={line.options} />
        <p className={styles.price}>
          {formatNumber(line.qtn)} × {format(line.buyPrice, line.currency)}
        </p>
        <LineNotes line={line} notes={notes} backOrder={quoted?.backOrder} />
        {quoted?.change !== "gone" && (
          <Quantity
            of={name}
            value={line.qtn}
            stock={quoted?.stock ?? line.qtn}
            onChange={(qtn) => cart.setQuantity(line._id, qtn)}
            removable
          />
        )}
      </div>
      <IconButton label={m.removeNamed({ name })} onClick={() => cart.remove(line._id)}>
        <Trash2 size={18} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </li>
  );
}
