import { createHmac } from "node:crypto";
import type { PasskeyOwner } from "./passkey-repository";

/** Secret of the deployment that handles are made with. */
export type UserHandleKey = Uint8Array;

/** Handle of a member for authenticators, 32 bytes: it says nothing about the person (WebAuthn, section 14.6.1). */
export const toUserHandle = (key: UserHandleKey, { workspace_id, user_id }: PasskeyOwner): Uint8Array =>
	createHmac("sha256", key)
		.update(JSON.stringify([workspace_id, user_id]))
		.digest();
