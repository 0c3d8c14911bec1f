import type {
	Authorization,
	AuthorizationPreview,
	AuthorizationRequest,
	DecidedAuthorization,
	Deleted,
} from "@stemma/client";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { AuthorizationError } from "../../authorizations/authorization-error";
import type { AuthorizationRepository } from "../../authorizations/authorization-repository";
import {
	allowAuthorization,
	checkAuthorizationRequest,
	type DecisionParts,
	denyAuthorization,
	toVerifiedHost,
} from "../../authorizations/decide-authorization";
import { toAuthorization } from "../../authorizations/present-authorization";
import type { StoredAuthorization } from "../../authorizations/stored-authorizations";
import { DomainError } from "../../errors/domain-error";
import { assertScope, requireCaller } from "../../http/auth/authenticate";
import { isOwnOrigin } from "../../http/auth/own-origin";
import { readPublicOrigin } from "../../http/auth/public-origin";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { respondWithPage } from "../../http/pagination";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { PeopleStore } from "../../people/sessions";
import { workspaceNotFound } from "../../workspaces/workspace-errors";
import type { WorkspaceRepository } from "../../workspaces/workspace-repository";
import { assertOwnSignIn } from "./assert-own-sign-in";
import { requireUser } from "./require-user";

const text = z.string().min(1).max(2_000);
const requestBody = z.strictObject({
	client_id: text,
	redirect_uri: text,
	response_type: text,
	code_challenge: text,
	code_challenge_method: text,
	scope: z.string().max(2_000).exactOptional(),
	state: z.string().max(2_000).exactOptional(),
	resource: text.exactOptional(),
	issuer: text.exactOptional(),
}) satisfies z.ZodType<AuthorizationRequest>;
const decisionBody = requestBody.extend({ decision: z.enum(["allow", "deny"]) });
const listQuery = z.strictObject({ user_id: z.string().max(100).exactOptional() });

const PATH = "/v1/authorizations";

/** Parts of the store that the routes need. */
export interface AuthorizationRouteParts extends Pick<PeopleStore, "sessions" | "passkeys" | "identities"> {
	readonly authorizations: AuthorizationRepository;
	readonly workspaces: Pick<WorkspaceRepository, "find">;
}

const described = {
	preview: describeRoute({
		summary: "Preview what an app asks for",
		body: requestBody,
		responses: { 200: "AuthorizationPreview" },
		errors: ["session_required", "invalid_authorization_request", "workspace_not_found"],
	}),
	give: describeRoute({
		summary: "Give an app access, or deny it",
		body: decisionBody,
		responses: { 200: "DecidedAuthorization" },
		errors: ["session_required", "own_sign_in_required", "invalid_authorization_request"],
	}),
	list: describeRoute({
		summary: "List the apps that have access",
		query: listQuery,
		isList: true,
		responses: { 200: "AuthorizationPage" },
		errors: ["session_required"],
	}),
	end: describeRoute({
		summary: "End the access of an app",
		responses: { 200: "Deleted" },
		errors: ["session_required", "authorization_not_found"],
	}),
};

/**
 * `/v1/authorizations`: access that people give to apps by OAuth, and end. `/v1/authorization-requests` says what an app
 * asks for. Apps cannot use these routes, so that none can give itself access.
 */
export function addAuthorizationRoutes(app: ServiceApp, store: AuthorizationRouteParts): void {
	addDecisionRoutes(app, store);
	const requireAny = requireCaller({ scopes: [] });
	const repository = store.authorizations;

	app.get(PATH, described.list, requireAny, (context) =>
		respondWithPage(context, {
			query: listQuery,
			async list(page, { user_id }): Promise<Authorization[]> {
				const caller = requireUser(context);
				if (user_id !== undefined && user_id !== caller.id) assertScope(caller, "keys:write");
				const listed = await repository.list(caller.workspaceId, user_id ?? caller.id, page);
				return listed.map(toAuthorization);
			},
			cursorOf: ({ id }) => id,
		}),
	);

	app.delete(`${PATH}/:id`, described.end, requireAny, async (context) => {
		const { id, workspace_id } = await getAuthorization(context, repository);
		const audit = { ...readAuthor(toScope(context)), action: "authorization.ended", target: id } as const;
		if (!(await repository.delete(workspace_id, id, audit))) throw authorizationNotFound();
		await context.get("kernel").people.watch.check();
		return context.json({ id, deleted: true } satisfies Deleted);
	});
}

/** Adds the routes of what an app asks for, and of the decision of the person whom it asks. */
function addDecisionRoutes(app: ServiceApp, store: AuthorizationRouteParts): void {
	const requireAny = requireCaller({ scopes: [] });
	const toParts = (context: ServiceContext): DecisionParts => ({
		apps: context.get("kernel").people.authorizations.apps,
		repository: store.authorizations,
		isOwnOrigin: (origin) => isOwnOrigin(context, origin),
	});

	app.post("/v1/authorization-requests", described.preview, requireAny, async (context) => {
		const { workspaceId } = requireUser(context);
		const request = await readJson(context, requestBody);
		readIssuer(context, request);
		const checked = await withDomainErrors(
			checkAuthorizationRequest(toScope(context), request, toParts(context)),
		);
		const { app: asking, ...preview } = checked;
		const workspace = await store.workspaces.find(workspaceId);
		if (workspace === undefined) throw workspaceNotFound();
		const client = { id: asking.id, name: asking.name, host: toVerifiedHost(asking) };
		return context.json({
			...preview,
			client,
			workspace: { id: workspace.id, name: workspace.name },
		} satisfies AuthorizationPreview);
	});

	app.post(PATH, described.give, requireAny, async (context) => {
		requireUser(context);
		const { decision, ...request } = await readJson(context, decisionBody);
		const issuer = readIssuer(context, request);
		const [scope, parts] = [toScope(context), toParts(context)];
		if (decision === "deny") {
			await withDomainErrors(checkAuthorizationRequest(scope, request, parts));
			return context.json({ redirect_to: denyAuthorization(request, issuer) } satisfies DecidedAuthorization);
		}
		await assertOwnSignIn(context, store);
		const redirect_to = await withDomainErrors(allowAuthorization(scope, request, { ...parts, issuer }));
		return context.json({ redirect_to } satisfies DecidedAuthorization);
	});
}

/** @throws DomainError `authorization_not_found`, also for that of someone else, unless an admin ends it. */
async function getAuthorization(
	context: ServiceContext,
	repository: AuthorizationRepository,
): Promise<StoredAuthorization> {
	const caller = requireUser(context);
	const found = await repository.find(caller.workspaceId, context.req.param("id") ?? "");
	const isAllowed = found?.user_id === caller.id || caller.scopes.includes("keys:write");
	if (found === undefined || !isAllowed) throw authorizationNotFound();
	return found;
}

/**
 * Reads the origin by which the app knows the service; it is told to the app, so that it can tell services apart.
 *
 * @throws DomainError `invalid_authorization_request` for an origin of another service.
 */
function readIssuer(context: ServiceContext, { issuer }: AuthorizationRequest): string {
	if (issuer === undefined) return readPublicOrigin(context);
	if (isOwnOrigin(context, issuer)) return issuer;
	throw invalidRequest("issuer is not this service.");
}

/** @throws DomainError `invalid_authorization_request`, with the code that OAuth has for it. */
async function withDomainErrors<Result>(work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof AuthorizationError) throw invalidRequest(error.message, error.code);
		throw error;
	}
}

const invalidRequest = (message: string, code = "invalid_request"): DomainError =>
	new DomainError("invalid_authorization_request", message, {
		hint: "The app has asked in a way that is not answered, so that nobody was sent to it. Start again from the app, or tell its maker.",
		details: { oauth_error: code },
	});

const authorizationNotFound = (): DomainError =>
	new DomainError("authorization_not_found", "There is no such authorization here, or none any more.");
