import { AuthPage, OrDivider, SwitchLink } from "../features/auth/auth-page";
import { RegisterForm } from "../features/auth/register-form";
import { SocialButtons } from "../features/auth/social-buttons";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";

export default function RegisterPage(page: PageOf<"register">) {
  const { shop } = page;
  return (
    <AuthPage quiet title="Make an account" text="One place for your orders, on every device.">
      <PageHead
        page={page}
        title={`Register · ${shop.name}`}
        description={`Make an account at ${shop.name}.`}
      />
      <RegisterForm submit="Register" />
      <SocialButtons
        providers={["facebook.com", "google.com"]}
        above={<OrDivider>or register with</OrDivider>}
      />
      <SwitchLink question="Already have an account?" to="/login">
        Sign in
      </SwitchLink>
    </AuthPage>
  );
}
