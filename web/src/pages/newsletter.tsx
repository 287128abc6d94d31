import { home, MomentPage, Press, type Moment as Shown } from "../components/moment-page";
import { Subscribe } from "../components/subscribe";
import type { Moment } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { NO_EMAIL } from "../lib/shop";

const MOMENTS: Record<Moment, Shown> = {
  form: {
    title: "The newsletter",
    message: "One letter a month: what is new on the stall, and one thing worth knowing.",
    next: <Subscribe />,
  },
  sent: {
    title: "Almost there",
    message: "Open the letter we have just sent you and confirm the address.",
    next: home,
  },
  confirm: {
    title: "Shall we write to you?",
    message: "The newsletter comes to this address from then on. Each has a link to leave.",
    next: <Press>Yes, write to me</Press>,
  },
  confirmed: {
    title: "Thank you. You are on the list.",
    message: "The next letter comes to you too. Each has a link to leave.",
    next: home,
  },
  leave: {
    title: "Leave the newsletter?",
    message: "One press, and the address is deleted.",
    next: <Press>Leave</Press>,
  },
  left: {
    title: "You have left.",
    message: "The address is deleted, and no letter follows. You are welcome back at any time.",
    next: home,
  },
  stale: {
    title: "This link does not work any more.",
    message: "It waits for a week, and not all of it may have come with you. Ask for a new letter:",
    next: <Subscribe />,
  },
};

// Whoever sent the form without JavaScript.
const NOT_SENT: Shown = {
  title: "No letter could be sent",
  message: `${NO_EMAIL} So your address could not be confirmed. Please try again another day.`,
  next: home,
};
// How often the demo writes, and about what; another shop has not said so.
const DEMO_CONFIRM = "One letter a month: what is new on the stall, and one thing worth knowing.";

export default function NewsletterPage(page: PageOf<"newsletter">) {
  return <MomentPage page={page} moment={shown(page)} />;
}

function shown({ props: { moment }, shop }: PageOf<"newsletter">): Shown {
  if (moment === "sent" && !shop.sendsEmail) return NOT_SENT;
  const usual = MOMENTS[moment];
  return shop.demo && moment === "confirm" ? { ...usual, message: DEMO_CONFIRM } : usual;
}
