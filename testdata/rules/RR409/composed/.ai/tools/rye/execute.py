print("executed")
