import { AuthPage, OrDivider, SwitchLink } from "../features/auth/auth-page";
import { LoginForm } from "../features/auth/login-form";
import { SocialButtons } from "../features/auth/social-buttons";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";

export default function LoginPage(page: PageOf<"login">) {
  const { shop } = page;
  return (
    <AuthPage quiet title="Welcome back" text="Sign in to see your orders and check out faster.">
      <PageHead
        page={page}
        title={`Sign in · ${shop.name}`}
        description={`Sign in to your account at ${shop.name}.`}
        path="/login"
      />
      <LoginForm />
      <SocialButtons
        providers={["facebook.com", "google.com"]}
        above={<OrDivider>or sign in with</OrDivider>}
      />
      <SwitchLink question="New here?" to="/register">
        Register Now
      </SwitchLink>
    </AuthPage>
  );
}
