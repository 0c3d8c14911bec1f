import { check } from "./check.mjs";

/** Posts JSON without the client, as any program may, and reads the JSON that it is answered with. */
export async function post(url, token, body, headers = {}) {
	const response = await fetch(url, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
			...headers,
		},
		body: JSON.stringify(body),
	});
	const answer = await response.json();
	check(response.ok, `POST ${new URL(url).pathname} answers ${response.status}`, answer);
	return answer;
}

/** Client id and secret, traded for an access token. */
export async function fetchToken({ service, clientId }, clientSecret) {
	const response = await fetch(`${service}/oauth/token`, {
		method: "POST",
		headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
		body: new URLSearchParams({ grant_type: "client_credentials" }),
	});
	return { status: response.status, body: await response.json() };
}

export async function readAll(stream) {
	const events = [];
	for await (const event of stream) events.push(event);
	return events;
}
