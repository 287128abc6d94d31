import { ConfirmButton, homeLink, type Result, ResultPage } from "../features/layout/result-page";
import type { StockAlertStep } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { NO_EMAIL } from "../lib/shop-context";

const RESULTS: Record<StockAlertStep, Result> = {
  asked: {
    title: "It is noted",
    message: "We will write to you once, when it is back. Then the address is forgotten.",
    next: homeLink,
  },
  leave: {
    title: "No more of these e-mails?",
    message: "One press, and we forget every product that this address waits for.",
    next: <ConfirmButton>Forget them</ConfirmButton>,
  },
  left: {
    title: "They are forgotten.",
    message: "This address waits for nothing any more, and no e-mail follows.",
    next: homeLink,
  },
  stale: {
    title: "This link is not complete.",
    message: "Not all of it may have come with you. Please open it from the e-mail once more.",
    next: homeLink,
  },
};

// After submitting the form without JavaScript.
const NOT_ASKED: Result = {
  title: "No e-mail can be sent",
  message: `${NO_EMAIL} So we cannot tell you when it is back. Please look in again.`,
  next: homeLink,
};

export default function BackInStockPage(page: PageOf<"back-in-stock">) {
  const { props, shop } = page;
  const noEmail = props.moment === "asked" && !shop.sendsEmail;
  return <ResultPage page={page} result={noEmail ? NOT_ASKED : RESULTS[props.moment]} />;
}
