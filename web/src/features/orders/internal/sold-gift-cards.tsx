import * as common from "messages/common";
import * as m from "messages/orders";
import type { OrderNow, SoldGiftCard } from "../../../lib/api.gen";
import { longDate } from "../../../lib/dates";
import styles from "../order-details.module.css";
import own from "./sold-gift-cards.module.css";

// The gift cards that an order bought: to whom each is sent, and when.
export function SoldGiftCards({ order }: { order: OrderNow }) {
  const { soldGiftCards: cards = [] } = order;
  if (cards.length === 0) return null;
  return (
    <section className={styles.card} aria-labelledby="order-gift-cards">
      <h2 id="order-gift-cards">{m.soldGiftCards()}</h2>
      <ul>
        {cards.map((card, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may look alike, and their order never changes.
          <li key={place} className={own.sold}>
            <div>
              <p className={own.name}>{name(card)}</p>
              {card.recipient !== "" && (
                <p className={own.to}>{m.soldGiftCardTo({ recipient: card.recipient })}</p>
              )}
            </div>
            <span className={own.state}>{stateText(card)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function name({ lastFour }: SoldGiftCard): string {
  return lastFour === "" ? common.giftCard() : common.giftCardEnding({ lastFour });
}

function stateText({ state, sendAt, sentAt }: SoldGiftCard): string {
  switch (state) {
    case "unpaid":
      return m.soldGiftCardUnpaid();
    case "scheduled":
      return m.soldGiftCardScheduled({ date: longDate(sendAt) });
    case "sent":
      return m.soldGiftCardSent({ date: longDate(sentAt ?? sendAt) });
    case "voided":
      return m.soldGiftCardVoided();
  }
}
