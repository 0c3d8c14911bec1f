import { expect, it } from "vitest";
import { readAuthorizationRequest } from "./read-request";

it("reads what an app asks for, and nothing else", () => {
	const query = "client_id=app_1&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=a+b&prompt=none&scope=";
	expect(readAuthorizationRequest(query)).toEqual({
		...{ client_id: "app_1", redirect_uri: "https://app.example/cb", state: "a b" },
		...{ response_type: "", code_challenge: "", code_challenge_method: "" },
	});
});
