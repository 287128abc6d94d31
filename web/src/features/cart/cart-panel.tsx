import ShoppingBag from "lucide-react/icons/shopping-bag";
import Trash2 from "lucide-react/icons/trash-2";
import * as m from "messages/cart";
import * as common from "messages/common";
import { localUrl } from "../../lib/language";
import { cents } from "../../lib/money";
import { formatNumber } from "../../lib/numbers";
import { closeOverlay, closeOverlayForNavigation, returnsFocus } from "../../lib/overlay";
import { useMoney } from "../../lib/shop-context";
import { cardName } from "../../lib/text";
import { checkoutUrl, productUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { Drawer } from "../../ui/drawer";
import { EmptyState } from "../../ui/empty-state";
import { IconButton } from "../../ui/icon-button";
import { NowrapHyphens } from "../../ui/nowrap-hyphens";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { type CartLine, cart, subTotal, units, useCart } from "./cart";
import styles from "./cart-panel.module.css";
import { LineNotes } from "./line-notes";
import { Quantity } from "./quantity";
import { useQuote } from "./quote";

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

function Lines({ lines }: { lines: CartLine[] }) {
  const money = useMoney();
  const { quote, notes } = useQuote();
  const gone = new Set(quote?.lines.flatMap((line) => (line.change === "gone" ? line._id : [])));
  const counted = lines.filter((line) => !gone.has(line._id));
  return (
    <>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line._id} className={styles.line}>
            <Picture picture={smallPicture(line.img[0])} name="" sizes="96px" loading="eager" />
            <div className={styles.words}>
              <a
                className={styles.name}
                href={productUrl(line._id)}
                onClick={closeOverlayForNavigation}
              >
                <NowrapHyphens text={cardName(line.name)} />
              </a>
              <p className={styles.price}>
                {formatNumber(line.qtn)} × {money(cents(line.buyPrice))}
              </p>
              <LineNotes notes={notes[line._id]} price={line.buyPrice} />
              {!gone.has(line._id) && (
                <Quantity
                  of={line.name}
                  value={line.qtn}
                  stock={quote?.lines.find((quoted) => quoted._id === line._id)?.stock ?? line.qtn}
                  onChange={(qtn) => cart.setQuantity(line._id, qtn)}
                  removable
                />
              )}
            </div>
            <IconButton
              label={m.removeNamed({ name: line.name })}
              onClick={() => cart.remove(line._id)}
            >
              <Trash2 size={18} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className={styles.end}>
        <p className={styles.total}>
          <span>{m.subtotal()}</span>
          <strong>{money(subTotal(counted))}</strong>
        </p>
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
