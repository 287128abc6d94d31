import * as m from "messages/cart";
import type { DeliveryOption } from "../../lib/api.gen";
import { dayRange } from "../../lib/dates";
import { digits } from "../../lib/numbers";

type Props = { delivery: Pick<DeliveryOption, "earliest" | "latest" | "pickup"> };

// When a delivery arrives, or where and when it is picked up.
export function Arrival({ delivery: { earliest, latest, pickup } }: Props) {
  const dates = earliest && latest && dayRange(earliest, latest);
  return (
    <>
      {dates && <span>{pickup ? m.pickupReady({ dates }) : dates}</span>}
      {pickup && (
        <>
          <span>{pickup.address}</span>
          {pickup.hours && <span>{digits(pickup.hours)}</span>}
        </>
      )}
    </>
  );
}
