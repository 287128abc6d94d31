import { AuthPage, OrDivider, SwitchLink } from "../features/auth/auth-page";
import { RegisterForm } from "../features/auth/register-form";
import { SocialButtons } from "../features/auth/social-buttons";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";

export default function SignupPage(page: PageOf<"signup">) {
  const { shop } = page;
  return (
    <AuthPage title="Sign up" text="One place for your orders, on every device.">
      <PageHead
        page={page}
        title={`Sign up · ${shop.name}`}
        description={`Sign up for an account at ${shop.name}.`}
      />
      <RegisterForm submit="Sign up" />
      <SocialButtons
        providers={["google.com"]}
        above={<OrDivider>or</OrDivider>}
        label={(name) => `CONTINUE WITH ${name.toUpperCase()}`}
      />
      <SwitchLink question="Already have an account?" to="/login">
        Please Login
      </SwitchLink>
    </AuthPage>
  );
}
