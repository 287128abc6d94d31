// New users for every flow: servers limit attempts and e-mails per user.

export const PASSWORD = "Market#1";
export const OTHER_PASSWORD = "Bazaar#22";

const random = (below: number) => Math.floor(Math.random() * below);

export const newEmail = (name = "ann") => `${name}-${random(1e9).toString(36)}@example.com`;

export const newPhone = () => `+1650${2_000_000 + random(8_000_000)}`;

export const newUid = () => `uid-${random(1e12).toString(36)}`;

export const newPerson = () => ({ email: newEmail(), name: "Ann Das" });
