import type { Deleted, Passkey } from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { clearAttemptCookie, readAttemptSecret, setAttemptCookie } from "../../http/auth/attempt-cookie";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { readPasskeyParty } from "../../http/auth/passkey-party";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { passkeyNotCreated, passkeyNotFound } from "../../people/passkeys/passkey-errors";
import { createPasskeys, type Passkeys } from "../../people/passkeys/passkeys";
import type { StoredPasskey } from "../../people/passkeys/stored-passkey";
import { toUserHandle } from "../../people/passkeys/user-handle";
import { createRegistrationOptions } from "../../people/passkeys/webauthn";
import { memberNotFound } from "../../people/people-errors";
import { PASSKEY_ATTEMPT_TTL_MS } from "../../people/people-limits";
import { findInviter, toPasskey } from "../../people/present-people";
import type { PeopleStore } from "../../people/sessions";
import { assertMayGive } from "./assert-may-give";
import { assertOwnSignIn } from "./assert-own-sign-in";
import { MAX_PASSKEY_BYTES, passkeyBody, passkeyUpdateBody } from "./passkey-fields";
import { requireUser } from "./require-user";

const listQuery = z.strictObject({ user_id: z.string().max(100).exactOptional() });
const PATH = "/v1/passkeys";
const CHALLENGE = "challenge";

const described = {
	begin: describeRoute({
		summary: "Begin to add a passkey",
		responses: { 200: "PasskeyOptions" },
		errors: [
			"session_required",
			"own_sign_in_required",
			"passkeys_unavailable",
			"too_many_passkeys",
			"member_not_found",
		],
	}),
	add: describeRoute({
		summary: "Add a passkey",
		body: passkeyBody,
		responses: { 201: "Passkey" },
		errors: [
			"session_required",
			"own_sign_in_required",
			"passkeys_unavailable",
			"passkey_not_created",
			"too_many_passkeys",
		],
	}),
	list: describeRoute({
		summary: "List passkeys",
		isList: true,
		query: listQuery,
		responses: { 200: "PasskeyPage" },
		errors: ["session_required", "missing_scope"],
	}),
	rename: describeRoute({
		summary: "Rename a passkey",
		body: passkeyUpdateBody,
		responses: { 200: "Passkey" },
		errors: ["session_required", "passkey_not_found"],
	}),
	delete: describeRoute({
		summary: "Delete a passkey",
		responses: { 200: "Deleted" },
		errors: ["session_required", "passkey_not_found"],
	}),
};

/** `/v1/passkeys`: the passkeys of the person who uses the page; admins list and delete those of others. */
export function addPasskeyRoutes(app: ServiceApp, store: PeopleStore): void {
	addCreationRoutes(app, store);
	const requireAny = requireCaller({ scopes: [] });
	const present = createPresenter(store);

	app.get(PATH, described.list, requireAny, (context) =>
		respondWithPage(context, {
			query: listQuery,
			async list(page, { user_id }) {
				const passkeys = await getPasskeys(context, store, readOwner(context, user_id)).list(page);
				return Promise.all(passkeys.map(present));
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.patch(`${PATH}/:id`, described.rename, requireAny, async (context) => {
		const { id } = requireUser(context);
		const { name } = await readJson(context, passkeyUpdateBody);
		const renamed = await getPasskeys(context, store, id).rename(context.req.param("id"), name);
		return context.json(await present(renamed));
	});

	app.delete(`${PATH}/:id`, described.delete, requireAny, async (context) => {
		const id = context.req.param("id");
		await getPasskeys(context, store, await findOwner(context, store, id)).delete(id);
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}

/** Adds the routes by which a passkey is added: the options for the browser, then what its authenticator made of them. */
function addCreationRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireAny = requireCaller({ scopes: [] });
	const present = createPresenter(store);

	app.post(`${PATH}/options`, described.begin, requireAny, async (context) => {
		const { workspaceId, id } = requireUser(context);
		const { attempts, userHandleKey } = context.get("kernel").people;
		const party = readPasskeyParty(context);
		await assertOwnSignIn(context, store);
		const member = await store.members.find(workspaceId, id);
		if (member === undefined) throw memberNotFound(id);
		const { secret, derive } = attempts.start(toPurpose(context), PASSKEY_ATTEMPT_TTL_MS);
		const options = await createRegistrationOptions(
			{ party, challenge: derive(CHALLENGE) },
			{
				handle: toUserHandle(userHandleKey, { workspace_id: workspaceId, user_id: id }),
				email: member.email,
				name: member.name,
				credentialIds: await getPasskeys(context, store, id).listCredentialIds(),
			},
		);
		setAttemptCookie(context, secret, PASSKEY_ATTEMPT_TTL_MS);
		return context.json(options);
	});

	app.post(PATH, described.add, requireAny, async (context) => {
		const { id } = requireUser(context);
		const { response, name } = await readJson(context, passkeyBody, { maxBytes: MAX_PASSKEY_BYTES });
		const { attempts } = context.get("kernel").people;
		const party = readPasskeyParty(context);
		const secret = readAttemptSecret(context);
		const challenge = attempts.find(toPurpose(context), secret)?.derive(CHALLENGE);
		clearAttemptCookie(context);
		if (challenge === undefined || !(await attempts.complete(toPurpose(context), secret)))
			throw passkeyNotCreated();
		const session = await assertOwnSignIn(context, store);
		const passkeys = getPasskeys(context, store, id);
		const created = await passkeys.create(response, { name, session }, { party, challenge });
		return context.json(await present(created), 201);
	});
}

/** Presenter of passkeys, each with who invited its owner. */
const createPresenter =
	(store: PeopleStore) =>
	async (passkey: StoredPasskey): Promise<Passkey> =>
		toPasskey(passkey, await findInviter(store.members, passkey.workspace_id, passkey.invited_by));

const getPasskeys = (context: ServiceContext, store: PeopleStore, userId: string): Passkeys =>
	createPasskeys(
		store.passkeys,
		{ workspace_id: context.get("workspace").id, user_id: userId },
		readAuthor(toScope(context)),
	);

/** Member whose passkeys are listed. @throws DomainError `session_required`, `missing_scope` for those of others. */
function readOwner(context: ServiceContext, userId: string | undefined): string {
	const caller = context.get("caller");
	if (userId === undefined || userId === caller.id) return requireUser(context).id;
	assertScope(caller, "keys:write");
	return userId;
}

/**
 * Finds the member whose passkey is deleted.
 *
 * @throws DomainError `passkey_not_found` for that of someone else, unless an admin deletes it.
 */
async function findOwner(context: ServiceContext, store: PeopleStore, passkeyId: string): Promise<string> {
	const caller = context.get("caller");
	if (!caller.scopes.includes("keys:write")) return requireUser(context).id;
	const { id: workspaceId } = context.get("workspace");
	const passkey = await store.passkeys.find(workspaceId, passkeyId);
	if (passkey === undefined) throw passkeyNotFound();
	if (passkey.user_id === caller.id) return requireUser(context).id;
	const member = await store.members.find(workspaceId, passkey.user_id);
	if (member !== undefined) assertMayGive(context)(member.role);
	return passkey.user_id;
}

/** Purpose of an attempt to add a passkey: good for the session that began it, and for nobody else's. */
const toPurpose = (context: ServiceContext): string => `add-passkey ${requireUser(context).sessionId}`;
