import { home, MomentPage, Press, type Moment as Shown } from "../components/moment-page";
import { Subscribe } from "../components/subscribe";
import type { Moment } from "../lib/api.gen";
import type { PageOf } from "../lib/page";

const MOMENTS: Record<Moment, Shown> = {
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

// How often the demo writes, and about what; another shop has not said so.
const DEMO_CONFIRM = "One letter a month: what is new on the stall, and one thing worth knowing.";

export default function NewsletterPage(page: PageOf<"newsletter">) {
  const moment = MOMENTS[page.props.moment];
  const message = page.shop.demo && page.props.moment === "confirm" ? DEMO_CONFIRM : moment.message;
  return <MomentPage page={page} moment={{ ...moment, message }} />;
}
