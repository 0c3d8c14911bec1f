import { isAccepted } from "./is-accepted";

/**
 * Checks whether a request is of a person with a browser, who is shown the web app, and not of a program, which gets JSON.
 *
 * @param accept - header `accept`: browsers name HTML in it when somebody opens an address.
 */
export const wantsPage = (accept = ""): boolean => isAccepted(accept, "text/html");
