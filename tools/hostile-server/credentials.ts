/** Every secret of these tests has these words in it, so that one search finds any: those that the server makes, too. */
export const CANARY = "hostile_secret";
export const CLIENT_KEY = `ck_1_${CANARY}_key`;
export const CLIENT_SECRET = `cs_${CANARY}_client`;
export const RUNTIME_TOKEN = `${CANARY}_runtime`;
