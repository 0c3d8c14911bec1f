import { randomBytes } from "node:crypto";
import { type Issuing, issueKeys } from "./issued-keys.ts";
import { Refusal } from "./refusal.ts";
import { type SimulatedRequest, type StandIn, startStandIn } from "./stand-in.ts";

export interface InstanceMetadataOptions extends Issuing {
	/** Default 0: any free one. */
	readonly port?: number;
	/** That is attached to the instance. Default `simulated-role`; null for none. */
	readonly role?: string | null;
}

const TOKEN_PATH = "/latest/api/token";
const KEYS_PATH = "/latest/meta-data/iam/security-credentials/";
const TTL_HEADER = "x-aws-ec2-metadata-token-ttl-seconds";
const TOKEN_HEADER = "x-aws-ec2-metadata-token";
const LONGEST_TTL_SECONDS = 21_600;

/**
 * A stand-in for the instance metadata service of EC2, version 2 alone, as with `HttpTokens=required` (EC2 user guide,
 * "Use the Instance Metadata Service"). Point AWS's libraries at it with `AWS_EC2_METADATA_SERVICE_ENDPOINT`.
 */
export function startInstanceMetadata(options: InstanceMetadataOptions = {}): Promise<StandIn> {
	const { port = 0, role = "simulated-role", now = Date.now } = options;
	/** When each token ends. */
	const tokens = new Map<string, number>();

	function giveToken(ttlSeconds: number): string {
		const token = randomBytes(40).toString("base64url");
		tokens.set(token, now() + ttlSeconds * 1000);
		return token;
	}

	function checkToken({ headers }: SimulatedRequest): void {
		const end = tokens.get(String(headers[TOKEN_HEADER] ?? ""));
		if (end === undefined || end <= now()) throw new Refusal(401, "Unauthorized", "A token is required.");
	}

	return startStandIn(port, {
		contentType: "text/plain",
		check(request) {
			const { method, path, headers } = request;
			if (path === TOKEN_PATH) {
				const ttlSeconds = readTtl(request);
				return () => giveToken(ttlSeconds);
			}
			if (method !== "GET") throw new Refusal(405, "MethodNotAllowed", "Only GET is allowed here.");
			if ("x-forwarded-for" in headers) throw new Refusal(403, "Forbidden", "The request was forwarded.");
			checkToken(request);
			if (role !== null && path === KEYS_PATH) return () => role;
			if (role === null || path !== KEYS_PATH + role)
				throw new Refusal(404, "NotFound", "There is nothing here.");
			return (usual, issued) => {
				const keys = issueKeys(options, usual);
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
	if (method !== "PUT") throw new Refusal(405, "MethodNotAllowed", "Tokens are asked for with PUT.");
	if ("x-forwarded-for" in headers) throw new Refusal(403, "Forbidden", "The request was forwarded.");
	const ttl = Number(headers[TTL_HEADER]);
	if (!Number.isInteger(ttl) || ttl < 1 || ttl > LONGEST_TTL_SECONDS)
		throw new Refusal(400, "BadRequest", "The time to live is missing or not between 1 and 21600.");
	return ttl;
}
