import type { ActionLink } from "../auth/action-link";
import { ChangeEmail } from "./internal/change-email";
import { EmailLinkSignIn } from "./internal/email-link-sign-in";
import { LinkError, MISSING_CODE } from "./internal/link-error";
import { RecoverEmail } from "./internal/recover-email";
import { ResetPassword } from "./internal/reset-password";
import { VerifyEmail } from "./internal/verify-email";

// Shows the form for an e-mail action link: what its `mode` asks for, or what is wrong with it.
export function EmailAction({ mode, code, next }: ActionLink) {
  if (mode === null || code === null) {
    return <LinkError mode={mode} failed={MISSING_CODE} next={next} />;
  }
  switch (mode) {
    case "verifyEmail":
      return <VerifyEmail code={code} next={next} />;
    case "resetPassword":
      return <ResetPassword code={code} next={next} />;
    case "verifyAndChangeEmail":
      return <ChangeEmail code={code} next={next} />;
    case "recoverEmail":
      return <RecoverEmail code={code} next={next} />;
    case "signIn":
      return <EmailLinkSignIn next={next} />;
  }
}
