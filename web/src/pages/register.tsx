import { Entrance, Instead, Or } from "../components/entrance/entrance";
import { RegisterForm } from "../components/entrance/register-form";
import { SocialButtons } from "../components/entrance/social-buttons";
import { PageHead } from "../components/page-head";
import type { PageOf } from "../lib/page";

export default function RegisterPage(page: PageOf<"register">) {
  const { shop } = page;
  return (
    <Entrance quiet title="Make an account" words="One place for your orders, on every device.">
      <PageHead
        page={page}
        title={`Register · ${shop.name}`}
        description={`Make an account at ${shop.name}.`}
      />
      <RegisterForm submit="Register" />
      <SocialButtons providers={["facebook.com", "google.com"]} above={<Or>or register with</Or>} />
      <Instead question="Already have an account?" to="/login">
        Sign in
      </Instead>
    </Entrance>
  );
}
