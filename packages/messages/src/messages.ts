// Every text a user can see. `m.auth_sign_in()` or the named import; both leave unused texts out of a bundle.
export * from './gen/messages.js';
