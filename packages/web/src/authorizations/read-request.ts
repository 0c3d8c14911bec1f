import type { AuthorizationRequest } from "@stemma/client";

const OPTIONAL = ["scope", "state", "resource", "issuer"] as const;

/** Reads the parameters with which an app sent a person here; what is missing is empty, and the service refuses it. */
export function readAuthorizationRequest(query: string): AuthorizationRequest {
	const parameters = new URLSearchParams(query);
	const read = (name: string) => parameters.get(name) ?? "";
	const optional = OPTIONAL.flatMap((name) => {
		const value = parameters.get(name);
		return value === null || value === "" ? [] : [[name, value] as const];
	});
	return {
		client_id: read("client_id"),
		redirect_uri: read("redirect_uri"),
		response_type: read("response_type"),
		code_challenge: read("code_challenge"),
		code_challenge_method: read("code_challenge_method"),
		...Object.fromEntries(optional),
	};
}
