import * as m from "messages/auth";
import { AuthPage, OrDivider, SwitchLink } from "../features/auth/auth-page";
import { LoginForm } from "../features/auth/login-form";
import { SocialButtons } from "../features/auth/social-buttons";
import { PageHead } from "../features/layout/page-head";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";

export default function LoginPage(page: PageOf<"login">) {
  const { shop } = page;
  return (
    <AuthPage quiet title={m.welcomeBack()} text={m.loginLead()}>
      <PageHead
        page={page}
        title={m.loginTitle({ shop: shop.name })}
        description={m.loginDescription({ shop: shop.name })}
        path="/login"
      />
      <LoginForm />
      <SocialButtons
        providers={["facebook.com", "google.com"]}
        above={<OrDivider>{m.orSignInWith()}</OrDivider>}
      />
      <SwitchLink message={m.newHere} to={localUrl("/register")} />
    </AuthPage>
  );
}
