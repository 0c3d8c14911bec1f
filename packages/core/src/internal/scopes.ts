/** Scopes that a client can have, in the order in which they are listed. All but the last are about its workspace. */
export const SCOPES = [
	"ask",
	"agents:run",
	"agents:write",
	"agents:trace",
	"runs:approve",
	"knowledge:read",
	"knowledge:write",
	"settings:read",
	"settings:write",
	"keys:write",
	"deployment:write",
] as const;
