import { randomUUID } from "node:crypto";
import { type CredentialServer, type SimulatedRequest, startCredentialServer } from "./credential-server.ts";
import { type IssuedKeys, type IssueOptions, issueKeys } from "./issued-keys.ts";
import { Rejection } from "./rejection.ts";

/** Options of the stand-in for STS. */
export interface SecurityTokenServiceOptions extends IssueOptions {
	/** Default 0: any free one. */
	readonly port?: number;
	/** The only role that there is. */
	readonly roleArn: string;
	/** The only web identity token that the role trusts. */
	readonly webIdentityToken: string;
}

const NAMESPACE = "https://sts.amazonaws.com/doc/2011-06-15/";

/**
 * A stand-in for STS that knows `AssumeRoleWithWebIdentity` alone (STS API reference): query protocol in, XML out, never
 * signed. Point AWS's libraries at it with `AWS_ENDPOINT_URL_STS`.
 */
export function startSecurityTokenService(options: SecurityTokenServiceOptions): Promise<CredentialServer> {
	const { port = 0, roleArn } = options;
	return startCredentialServer(port, {
		contentType: "text/xml",
		check(request) {
			const form = readForm(request);
			checkForm(form, options);
			return (defaultReply, issued) => {
				const keys = issueKeys(options, defaultReply);
				issued.push(keys);
				return toResult(keys, roleArn, form.get("RoleSessionName") ?? "");
			};
		},
		toError: ({ type, message }) =>
			`<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${type}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
	});
}

function readForm({ method, path, headers, text }: SimulatedRequest): URLSearchParams {
	if (method !== "POST" || path !== "/") throw new Rejection(404, "NotFound", "There is nothing here.");
	if (!/^application\/x-www-form-urlencoded\b/.test(headers["content-type"] ?? ""))
		throw new Rejection(400, "SerializationException", "The body must be a form.");
	if (headers.authorization !== undefined)
		throw new Rejection(403, "SignatureDoesNotMatch", "Nobody has keys before this call.");
	return new URLSearchParams(text);
}

function checkForm(form: URLSearchParams, { roleArn, webIdentityToken }: SecurityTokenServiceOptions): void {
	if (form.get("Action") !== "AssumeRoleWithWebIdentity" || form.get("Version") !== "2011-06-15")
		throw new Rejection(400, "InvalidAction", "There is no such action in this version.");
	if (!/^[\w+=,.@-]{2,64}$/.test(form.get("RoleSessionName") ?? ""))
		throw new Rejection(400, "ValidationError", "RoleSessionName is missing or malformed.");
	if (form.get("WebIdentityToken") !== webIdentityToken)
		throw new Rejection(400, "InvalidIdentityToken", "The web identity token is not valid.");
	if (form.get("RoleArn") !== roleArn)
		throw new Rejection(403, "AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity");
}

const toResult = (keys: IssuedKeys, roleArn: string, session: string): string =>
	`<AssumeRoleWithWebIdentityResponse xmlns="${NAMESPACE}"><AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn>${toSessionArn(roleArn)}/${session}</Arn><AssumedRoleId>AROASIMULATED:${session}</AssumedRoleId></AssumedRoleUser><Credentials><AccessKeyId>${keys.AccessKeyId}</AccessKeyId><SecretAccessKey>${keys.SecretAccessKey}</SecretAccessKey><SessionToken>${keys.Token}</SessionToken><Expiration>${keys.Expiration}</Expiration></Credentials></AssumeRoleWithWebIdentityResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></AssumeRoleWithWebIdentityResponse>`;

const toSessionArn = (roleArn: string): string =>
	roleArn.replace(":iam:", ":sts:").replace(":role/", ":assumed-role/");
