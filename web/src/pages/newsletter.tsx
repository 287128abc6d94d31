import { ConfirmButton, homeLink, type Result, ResultPage } from "../features/layout/result-page";
import { NewsletterForm } from "../features/messages/newsletter-form";
import type { NewsletterStep } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { NO_EMAIL } from "../lib/shop-context";

const RESULTS: Record<NewsletterStep, Result> = {
  form: {
    title: "The newsletter",
    message: "One e-mail a month: what is new on the stall, and one thing worth knowing.",
    next: <NewsletterForm />,
  },
  sent: {
    title: "Almost there",
    message: "Open the e-mail we have just sent you and confirm the address.",
    next: homeLink,
  },
  confirm: {
    title: "Shall we write to you?",
    message: "The newsletter comes to this address from then on. Each has a link to leave.",
    next: <ConfirmButton>Yes, write to me</ConfirmButton>,
  },
  confirmed: {
    title: "Thank you. You are on the list.",
    message: "The next one comes to you too. Each has a link to leave.",
    next: homeLink,
  },
  leave: {
    title: "Leave the newsletter?",
    message: "One press, and the address is deleted.",
    next: <ConfirmButton>Leave</ConfirmButton>,
  },
  left: {
    title: "You have left.",
    message: "The address is deleted, and no e-mail follows. You are welcome back at any time.",
    next: homeLink,
  },
  stale: {
    title: "This link does not work any more.",
    message: "It waits for a week, and not all of it may have come with you. Ask for a new e-mail:",
    next: <NewsletterForm />,
  },
};

// After submitting the form without JavaScript.
const NOT_SENT: Result = {
  title: "No e-mail could be sent",
  message: `${NO_EMAIL} So your address could not be confirmed. Please try again another day.`,
  next: homeLink,
};
// The demo's frequency and topic; other shops have none configured.
const DEMO_CONFIRM = "One e-mail a month: what is new on the stall, and one thing worth knowing.";

export default function NewsletterPage(page: PageOf<"newsletter">) {
  return <ResultPage page={page} result={resultOf(page)} />;
}

function resultOf({ props: { moment }, shop }: PageOf<"newsletter">): Result {
  if (moment === "sent" && !shop.sendsEmail) return NOT_SENT;
  const usual = RESULTS[moment];
  return shop.demo && moment === "confirm" ? { ...usual, message: DEMO_CONFIRM } : usual;
}
