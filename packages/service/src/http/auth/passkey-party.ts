import { type PasskeyParty, toPasskeyParty } from "../../people/passkeys/passkey-party";
import type { ServiceContext } from "../service-context";
import { readPublicOrigin } from "./public-origin";

/** Finds the party of passkeys for a request. @throws DomainError `passkeys_unavailable` */
export const readPasskeyParty = (context: ServiceContext): PasskeyParty =>
	toPasskeyParty(context.get("kernel").publicOrigin, readPublicOrigin(context));
