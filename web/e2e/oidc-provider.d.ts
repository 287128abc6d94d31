// The part of oidc-provider's types that we use. The package has none, and the community's bring
// those of a whole web framework.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Answer = Promise<void>;

  class Grant {
    constructor(of: { accountId: string; clientId: string });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export type Interaction = {
    prompt: { name: string; details: { missingOIDCScope?: string[] } };
    params: { client_id: string };
    session?: { accountId: string };
  };

  export type Result = {
    select_account?: object;
    login?: { accountId: string };
    consent?: { grantId: string };
    error?: string;
  };

  export class Provider {
    constructor(issuer: string, configuration: object);
    Grant: typeof Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Answer;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Result,
      options: { mergeWithLastSubmission: boolean },
    ): Answer;
  }

  export const interactionPolicy: {
    Prompt: new (prompt: { name: string; requestable: boolean }) => object;
    base(): { add(prompt: object, at: number): void };
  };
}
