import { home, type Moment, MomentPage, Press } from "../components/moment-page";
import type { AlertMoment } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { NO_EMAIL } from "../lib/shop";

const MOMENTS: Record<AlertMoment, Moment> = {
  asked: {
    title: "It is noted",
    message: "We will write to you once, when it is back. Then the address is forgotten.",
    next: home,
  },
  leave: {
    title: "No more of these letters?",
    message: "One press, and we forget every product that this address waits for.",
    next: <Press>Forget them</Press>,
  },
  left: {
    title: "They are forgotten.",
    message: "This address waits for nothing any more, and no letter follows.",
    next: home,
  },
  stale: {
    title: "This link is not complete.",
    message: "Not all of it may have come with you. Please open it from the letter once more.",
    next: home,
  },
};

// Whoever sent the form without JavaScript.
const NOT_ASKED: Moment = {
  title: "No letter can be sent",
  message: `${NO_EMAIL} So we cannot tell you when it is back. Please look in again.`,
  next: home,
};

export default function BackInStockPage(page: PageOf<"backInStock">) {
  const { props, shop } = page;
  const silent = props.moment === "asked" && !shop.sendsEmail;
  return <MomentPage page={page} moment={silent ? NOT_ASKED : MOMENTS[props.moment]} />;
}
