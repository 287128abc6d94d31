import { Entrance, Instead, Or } from "../components/entrance/entrance";
import { LoginForm } from "../components/entrance/login-form";
import { SocialButtons } from "../components/entrance/social-buttons";
import { PageHead } from "../components/page-head";
import type { PageOf } from "../lib/page";

export default function LoginPage(page: PageOf<"login">) {
  const { shop } = page;
  return (
    <Entrance quiet title="Welcome back" words="Sign in to see your orders and check out faster.">
      <PageHead
        page={page}
        title={`Sign in · ${shop.name}`}
        description={`Sign in to your account at ${shop.name}.`}
        path="/login"
      />
      <LoginForm />
      <SocialButtons providers={["facebook.com", "google.com"]} above={<Or>or sign in with</Or>} />
      <Instead question="New here?" to="/register">
        Register Now
      </Instead>
    </Entrance>
  );
}
