import { Platform } from "react-native";

/** Where the service listens on your computer, as an emulator of Android or a simulator of iOS sees it. */
export const BASE_URL: string = Platform.OS === "android" ? "http://10.0.2.2:4000" : "http://localhost:4000";

/** Whoever has the app can read the key: it may run this agent and no more, within its own limits. */
export const CLIENT_KEY = "ck_…";

export const AGENT = "shop-desk";
