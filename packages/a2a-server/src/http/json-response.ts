/** JSON as a response; `Response.json` is missing in some versions of Node 18. */
export const jsonResponse = (
	body: unknown,
	status: number,
	headers: Readonly<Record<string, string>>,
): Response => new Response(JSON.stringify(body), { status, headers });
