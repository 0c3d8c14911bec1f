import type { Deleted } from "@stemma/client";
import { readAuthor } from "../../audit/audit-author";
import { clearAttemptCookie, readAttemptSecret, setAttemptCookie } from "../../http/auth/attempt-cookie";
import { requireCaller } from "../../http/auth/authenticate";
import { readPasskeyParty } from "../../http/auth/passkey-party";
import { readJson } from "../../http/body/read-json";
import { respondWithPageById } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { passkeyNotCreated } from "../../people/passkeys/passkey-errors";
import { createPasskeys, type Passkeys } from "../../people/passkeys/passkeys";
import { toUserHandle } from "../../people/passkeys/user-handle";
import { createRegistrationOptions } from "../../people/passkeys/webauthn";
import { memberNotFound } from "../../people/people-errors";
import { PASSKEY_ATTEMPT_TTL_MS } from "../../people/people-limits";
import type { PeopleStore } from "../../people/sessions";
import { MAX_PASSKEY_BYTES, passkeyBody, passkeyUpdateBody } from "./passkey-fields";
import { requireUser } from "./require-user";

const PATH = "/v1/passkeys";
const CHALLENGE = "challenge";

/** `/v1/passkeys`: the passkeys of the person who uses the page. */
export function addPasskeyRoutes(app: ServiceApp, store: PeopleStore): void {
	const requireAny = requireCaller({ scopes: [] });
	const getPasskeys = (context: ServiceContext): Passkeys => {
		const { workspaceId, id } = requireUser(context);
		const owner = { workspace_id: workspaceId, user_id: id };
		return createPasskeys(store.passkeys, owner, readAuthor(toScope(context)));
	};

	app.post(`${PATH}/options`, requireAny, async (context) => {
		const { workspaceId, id } = requireUser(context);
		const { attempts, userHandleKey } = context.get("kernel").people;
		const party = readPasskeyParty(context);
		const member = await store.members.find(workspaceId, id);
		if (member === undefined) throw memberNotFound(id);
		const { secret, derive } = attempts.start(toPurpose(context), PASSKEY_ATTEMPT_TTL_MS);
		const options = await createRegistrationOptions(
			{ party, challenge: derive(CHALLENGE) },
			{
				handle: toUserHandle(userHandleKey, { workspace_id: workspaceId, user_id: id }),
				email: member.email,
				name: member.name,
				credentialIds: await getPasskeys(context).listCredentialIds(),
			},
		);
		setAttemptCookie(context, secret, PASSKEY_ATTEMPT_TTL_MS);
		return context.json(options);
	});

	app.post(PATH, requireAny, async (context) => {
		requireUser(context);
		const { response, name } = await readJson(context, passkeyBody, { maxBytes: MAX_PASSKEY_BYTES });
		const { attempts } = context.get("kernel").people;
		const party = readPasskeyParty(context);
		const secret = readAttemptSecret(context);
		const challenge = attempts.find(toPurpose(context), secret)?.derive(CHALLENGE);
		clearAttemptCookie(context);
		if (challenge === undefined || !attempts.complete(toPurpose(context), secret)) throw passkeyNotCreated();
		const { workspaceId, sessionId } = requireUser(context);
		const session = await store.sessions.find(workspaceId, sessionId);
		if (session === undefined) throw passkeyNotCreated();
		const expected = { party, challenge };
		return context.json(await getPasskeys(context).create(response, name, expected, session.reach), 201);
	});

	app.get(PATH, requireAny, (context) => respondWithPageById(context, getPasskeys(context).list));

	app.patch(`${PATH}/:id`, requireAny, async (context) => {
		requireUser(context);
		const { name } = await readJson(context, passkeyUpdateBody);
		return context.json(await getPasskeys(context).rename(context.req.param("id"), name));
	});

	app.delete(`${PATH}/:id`, requireAny, async (context) => {
		const id = context.req.param("id");
		await getPasskeys(context).delete(id);
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}

/** Purpose of an attempt to add a passkey: good for the session that began it, and for nobody else's. */
const toPurpose = (context: ServiceContext): string => `add-passkey ${requireUser(context).sessionId}`;
