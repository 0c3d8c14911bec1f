import type { AuthorizationPreview, AuthorizationRequest } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { assertVisibleAgent } from "../access/assert-visible";
import { readAuthor } from "../audit/audit-author";
import { createSecret, hashSecret } from "../auth/secrets";
import { createId } from "../create-id";
import type { RequestScope } from "../request-scope";
import type { Apps } from "./apps";
import { AuthorizationError } from "./authorization-error";
import { CODE_TTL_MS, MAX_AUTHORIZATIONS_PER_USER } from "./authorization-limits";
import type { AuthorizationRepository } from "./authorization-repository";
import { resolveScopes } from "./authorization-scopes";
import { isMetadataUrl } from "./client-metadata-document";
import { assertCodeRequest, parseResource } from "./parse-authorization-request";
import { addParameters, isRegisteredRedirectUri, toRedirectHost } from "./redirect-uri";
import type { App } from "./stored-authorizations";

/** Parts of a request of a person who is asked by an app. */
export type DecisionScope = Pick<RequestScope, "caller" | "workspace" | "requestId">;

/** Parts of the service that decide on requests of apps. */
export interface DecisionParts {
	readonly apps: Apps;
	readonly repository: Pick<AuthorizationRepository, "insert">;
	/** Checks whether an origin is that of the service, as the person or the app knows it. */
	readonly isOwnOrigin: (origin: string) => boolean;
}

/** Request of an app that may be answered. */
export interface CheckedRequest extends Omit<AuthorizationPreview, "workspace" | "client"> {
	readonly app: App;
}

/**
 * Checks what an app asks a person for.
 *
 * @throws AuthorizationError: nobody is sent anywhere then, as the address may be an attacker's.
 * @throws DomainError `agent_not_found`
 */
export async function checkAuthorizationRequest(
	scope: DecisionScope,
	request: AuthorizationRequest,
	{ apps, isOwnOrigin }: DecisionParts,
): Promise<CheckedRequest> {
	const app = await apps.get(request.client_id);
	if (!isRegisteredRedirectUri(request.redirect_uri, app.redirectUris))
		throw new AuthorizationError("invalid_request", "The app has not registered this redirect_uri.");
	assertCodeRequest(request);
	const resource = parseResource(request.resource, isOwnOrigin);
	const [, agent] = /^\/a2a\/(.+)$/.exec(resource) ?? [];
	if (agent !== undefined) {
		await scope.workspace.agents.get(agent);
		await assertVisibleAgent(scope, agent);
	}
	const scopes = resolveScopes(request.scope, resource, scope.caller.scopes);
	return { app, redirect_host: toRedirectHost(request.redirect_uri), scopes, resource };
}

/** Host of the metadata document of an app; `null` for an app that registered itself. */
export const toVerifiedHost = ({ id }: App): string | null => (isMetadataUrl(id) ? new URL(id).host : null);

/**
 * Gives an app the access that a person agreed to.
 *
 * @param issuer - origin of the service, as the app knows it (RFC 9207).
 * @returns the address to send the person to, with a code that can be used once.
 */
export async function allowAuthorization(
	scope: DecisionScope,
	request: AuthorizationRequest,
	{ issuer, ...parts }: DecisionParts & { readonly issuer: string },
): Promise<string> {
	const { app, redirect_host, scopes, resource } = await checkAuthorizationRequest(scope, request, parts);
	const now = clock.now();
	const code = createSecret("oac");
	const authorization = {
		...{ id: createId("aut"), workspace_id: scope.workspace.id, user_id: scope.caller.id },
		...{ client_id: app.id, client_name: app.name, redirect_host, scopes, resource },
		...{ created_at: now, last_used_at: now },
	};
	const stored = {
		codeHash: hashSecret(code),
		redirect_uri: request.redirect_uri,
		code_challenge: request.code_challenge,
		expires_at: now + CODE_TTL_MS,
	};
	const details = { client: app.id, scopes: [...scopes], resource };
	const audit = { ...readAuthor(scope), action: "authorization.created", target: authorization.id } as const;
	await parts.repository.insert(authorization, stored, { ...audit, details }, MAX_AUTHORIZATIONS_PER_USER);
	return addParameters(request.redirect_uri, { code, state: request.state, iss: issuer });
}

/** Address to send a person to who gives no access (RFC 6749, section 4.1.2.1). */
export const denyAuthorization = (request: AuthorizationRequest, issuer: string): string =>
	addParameters(request.redirect_uri, { error: "access_denied", state: request.state, iss: issuer });
