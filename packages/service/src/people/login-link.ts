import type { Role } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import { OPERATOR } from "../audit/audit-author";
import { withOperatorStore } from "../auth/operator-store";
import { createId } from "../create-id";
import type { DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { isEmail, normalizeEmail } from "./email";
import { LOGIN_LINK_TTL_MS } from "./people-limits";
import { createSignInLink, toPageOrigin, toSignInAddress } from "./sign-in-links";
import type { SessionReach } from "./stored-people";

/** Sign-in link to be made by whoever owns the data folder. */
export interface LoginLinkOptions {
	/** Person who signs in. Default: `admin@localhost`, or who the page names. */
	readonly email?: string | undefined;
	/** Role of a new member; that of an active one is raised to it. Default `admin`. */
	readonly role?: Role | undefined;
	/** Id or name of the workspace. Default: the oldest one. */
	readonly workspace?: string | undefined;
	/** Lets the person manage workspaces: an operator, in sessions of this link and of passkeys added there. Default false. */
	readonly operator?: boolean | undefined;
	/** Address of the service: `http://127.0.0.1:4000`. */
	readonly url: string;
}

/** Link that signs a person in, once. */
export interface LoginLink {
	/** Address with the token in its fragment: a secret. */
	readonly link: string;
	/** RFC 3339, 15 minutes after its creation. */
	readonly expires_at: string;
	readonly workspace_id: string;
}

/**
 * Makes a sign-in link in a deployment, also while a service serves it: without a credential, for anybody. Records the
 * link in the audit, without its token.
 *
 * @throws ConfigurationError `invalid_email`; where it is no data folder, or has no workspace yet; `workspace_not_found`.
 * @throws StorageError where its file or database cannot be used, or is of another version of Stemma.
 */
export async function createLoginLink(
	place: DeploymentPlace,
	{ email, role = "admin", workspace, operator = false, url }: LoginLinkOptions,
): Promise<LoginLink> {
	const address = email === undefined ? null : parseEmail(email);
	return withOperatorStore(place, workspace, async ({ store, workspaceId }) => {
		const options = { email: address, role, workspace_id: workspaceId, invited_by: OPERATOR };
		const { token, link } = createSignInLink({
			...options,
			id: createId("inv"),
			kind: "login",
			reach: toReach(operator, address),
			ttlMs: LOGIN_LINK_TTL_MS,
		});
		const audit = {
			actor: OPERATOR,
			action: "invitation.created",
			target: link.id,
			details: { role, ...(operator && { operator }) },
		} as const;
		await store.signInLinks.insert(link, audit, () => undefined);
		return {
			link: toSignInAddress(toPageOrigin(url), token),
			expires_at: new Date(link.expires_at).toISOString(),
			workspace_id: workspaceId,
		};
	});
}

/** Chooses the reach of a link. Without an address, whoever opens it says who they are: nobody has vouched for that elsewhere. */
function toReach(isOperator: boolean, email: string | null): SessionReach {
	if (isOperator) return "operator";
	return email === null ? "workspace" : "deployment";
}

function parseEmail(text: string): string {
	const email = normalizeEmail(text);
	if (isEmail(email)) return email;
	throw new ConfigurationError(`${quote(text)} is not an e-mail address.`, {
		code: "invalid_email",
		hint: "Give one such as ada@example.com.",
	});
}
