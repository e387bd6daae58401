print("pushed")
