import type { A2aPushConfig, A2aStreamResponse } from "@stemma/client/a2a";

/** A notification as a request (A2A 1.0.1, section 4.3.3). Redirects are not followed: credentials would go with them. */
export const toPushRequest = (
	{ token, authentication }: A2aPushConfig,
	notification: A2aStreamResponse,
): RequestInit => ({
	method: "POST",
	redirect: "manual",
	headers: {
		"content-type": "application/a2a+json",
		...(token === undefined ? {} : { "x-a2a-notification-token": token }),
		...(authentication?.credentials === undefined
			? {}
			: { authorization: `${authentication.scheme} ${authentication.credentials}` }),
	},
	body: JSON.stringify(notification),
});
