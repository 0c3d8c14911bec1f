import { randomBytes } from "node:crypto";
import { type CredentialServer, type SimulatedRequest, startCredentialServer } from "./credential-server.ts";
import { type IssueOptions, issueKeys } from "./issued-keys.ts";
import { Rejection } from "./rejection.ts";

/** Options of the stand-in for EC2's instance metadata service. */
export interface InstanceMetadataOptions extends IssueOptions {
	/** Default 0: any free one. */
	readonly port?: number;
	/** That is attached to the instance. Default `simulated-role`; null for none. */
	readonly role?: string | null;
}

const TOKEN_PATH = "/latest/api/token";
const KEYS_PATH = "/latest/meta-data/iam/security-credentials/";
const TTL_HEADER = "x-aws-ec2-metadata-token-ttl-seconds";
const TOKEN_HEADER = "x-aws-ec2-metadata-token";
const MAX_TTL_SECONDS = 21_600;

/**
 * A stand-in for the instance metadata service of EC2, version 2 alone, as with `HttpTokens=required` (EC2 user guide,
 * "Use the Instance Metadata Service"). Point AWS's libraries at it with `AWS_EC2_METADATA_SERVICE_ENDPOINT`.
 */
export function startInstanceMetadata(options: InstanceMetadataOptions = {}): Promise<CredentialServer> {
	const { port = 0, role = "simulated-role", now = Date.now } = options;
	/** When each token ends. */
	const tokens = new Map<string, number>();

	function issueToken(ttlSeconds: number): string {
		const token = randomBytes(40).toString("base64url");
		tokens.set(token, now() + ttlSeconds * 1000);
		return token;
	}

	function checkToken({ headers }: SimulatedRequest): void {
		const end = tokens.get(String(headers[TOKEN_HEADER] ?? ""));
		if (end === undefined || end <= now()) throw new Rejection(401, "Unauthorized", "A token is required.");
	}

	return startCredentialServer(port, {
		contentType: "text/plain",
		check(request) {
			const { method, path, headers } = request;
			if (path === TOKEN_PATH) {
				const ttlSeconds = readTtl(request);
				return () => issueToken(ttlSeconds);
			}
			if (method !== "GET") throw new Rejection(405, "MethodNotAllowed", "Only GET is allowed here.");
			if ("x-forwarded-for" in headers) throw new Rejection(403, "Forbidden", "The request was forwarded.");
			checkToken(request);
			if (role !== null && path === KEYS_PATH) return () => role;
			if (role === null || path !== KEYS_PATH + role)
				throw new Rejection(404, "NotFound", "There is nothing here.");
			return (defaultReply, issued) => {
				const keys = issueKeys(options, defaultReply);
				issued.push(keys);
				return JSON.stringify({
					Code: "Success",
					LastUpdated: new Date(now()).toISOString(),
					Type: "AWS-HMAC",
					...keys,
				});
			};
		},
		toError: ({ type }) => type,
	});
}

function readTtl({ method, headers }: SimulatedRequest): number {
	if (method !== "PUT") throw new Rejection(405, "MethodNotAllowed", "Tokens are asked for with PUT.");
	if ("x-forwarded-for" in headers) throw new Rejection(403, "Forbidden", "The request was forwarded.");
	const ttl = Number(headers[TTL_HEADER]);
	if (!Number.isInteger(ttl) || ttl < 1 || ttl > MAX_TTL_SECONDS)
		throw new Rejection(400, "BadRequest", "The time to live is missing or not between 1 and 21600.");
	return ttl;
}
