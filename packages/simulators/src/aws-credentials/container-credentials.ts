import { type CredentialServer, startCredentialServer } from "./credential-server.ts";
import { type IssueOptions, issueKeys } from "./issued-keys.ts";
import { Rejection } from "./rejection.ts";

/** Options of the stand-in for the endpoint of container credentials. */
export interface ContainerCredentialsOptions extends IssueOptions {
	/** Default 0: any free one. */
	readonly port?: number;
	/** Default `/v1/credentials`, as of the agent of EKS Pod Identity. */
	readonly path?: string;
	/** What the header `authorization` must be; without it there must be none. */
	readonly authorization?: string | undefined;
}

/**
 * A stand-in for the endpoint that gives a container its credentials: of ECS, or of the agent of EKS Pod Identity (AWS
 * SDKs reference, "Container credential provider"). Point AWS's libraries at it with `AWS_CONTAINER_CREDENTIALS_FULL_URI`.
 */
export function startContainerCredentials(
	options: ContainerCredentialsOptions = {},
): Promise<CredentialServer> {
	const { port = 0, path = "/v1/credentials", authorization } = options;
	return startCredentialServer(port, {
		contentType: "application/json",
		check(request) {
			if (request.method !== "GET") throw new Rejection(405, "MethodNotAllowed", "Only GET is allowed here.");
			if (request.path !== path) throw new Rejection(404, "NotFound", "There is nothing here.");
			if (request.headers.authorization !== authorization)
				throw new Rejection(403, "AccessDenied", "The authorization token is not valid.");
			return (defaultReply, issued) => {
				const keys = issueKeys(options, defaultReply);
				issued.push(keys);
				return JSON.stringify({ ...keys, AccountId: "123456789012" });
			};
		},
		toError: ({ type, message }) => JSON.stringify({ Code: type, Message: message }),
	});
}
