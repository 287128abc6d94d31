"""Signs customers up at a demo shop, and prints their tokens as shell variables."""

import sys

import requests

origin = sys.argv[1]
key = "key=haat-storefront"


def sign_up(name: str) -> tuple[str, str]:
    """The ID token and the access token of a new customer."""
    email = f"{name}@haat.example"
    body = {"email": email, "password": "A.long.Secret!1", "returnSecureToken": True}
    path = "/identitytoolkit.googleapis.com/v1/accounts:signUp"
    id_token = post(f"{path}?{key}", body)["idToken"]
    bearer = {"Authorization": f"Bearer {id_token}"}
    response = requests.get(f"{origin}/api/user/jwt", params={"email": email}, headers=bearer, timeout=10)
    response.raise_for_status()
    return id_token, response.json()["accessToken"]


def post(path: str, body: dict, token: str | None = None) -> dict:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = requests.post(f"{origin}{path}", json=body, headers=headers, timeout=10)
    response.raise_for_status()
    return response.json()


id_token, access_token = sign_up("fuzz")
leaving, _ = sign_up("leaving")
product = requests.get(f"{origin}/api/products?stock=in&limit=1", timeout=10).json()[0]["_id"]
lines = [{"_id": product, "qtn": 1}]
total = post("/api/quote", {"lines": lines})["total"]
order = {"name": "Fuzz", "phone": "+8801711000001", "address": "1 Lane", "total": total, "lines": lines}
post("/api/orders", order, access_token)
print(f"ACCESS_TOKEN={access_token}\nID_TOKEN={id_token}\nLEAVING_ID_TOKEN={leaving}")
