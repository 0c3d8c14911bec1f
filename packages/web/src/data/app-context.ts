import type { CurrentSession, Scope } from "@stemma/client";
import { createContext, useContext } from "react";
import type { StemmaParts } from "./stemma";

/** Service and session, which all pages share. */
export interface AppContextValue {
	readonly stemma: StemmaParts;
	readonly session: CurrentSession;
	/** Shows the sign-in page: the service knows the session no more. */
	readonly onSessionEnd: () => void;
}

export const AppContext = createContext<AppContextValue | undefined>(undefined);

/** @throws Error outside of the app. */
export function useApp(): AppContextValue {
	const value = useContext(AppContext);
	if (value === undefined) throw new Error("Pages need <App> around them.");
	return value;
}

/** Checks whether the role of the person has a scope: controls that would be refused are not shown. */
export const useScope = (scope: Scope): boolean => useApp().session.scopes.includes(scope);
